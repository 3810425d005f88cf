// What is no number leaves the variable as it is.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  unsigned x = 1;
  int count = scanf("%x", &x);
  assert(count == 1 || x == 1);
  return 0;
}
