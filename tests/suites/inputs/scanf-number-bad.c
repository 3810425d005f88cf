// Some number is 42.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n = 7;
  int count = scanf("%d", &n);
  assert(n != 42);
  return 0;
}
