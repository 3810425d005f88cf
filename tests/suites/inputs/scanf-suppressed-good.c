// A suppressed conversion does not count.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n = 0;
  int count = scanf("%*d%d", &n);
  assert(count <= 1);
  return 0;
}
