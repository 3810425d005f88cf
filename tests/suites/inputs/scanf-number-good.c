// A number that is read is stored.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n = 7;
  int count = scanf("%d", &n);
  assert(count == 1 || n == 7);
  return 0;
}
