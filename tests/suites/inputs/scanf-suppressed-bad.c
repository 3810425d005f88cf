// A suppressed conversion takes its number all the same.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n = 0;
  int count = scanf("%*d%d", &n);
  assert(n != 3);
  return 0;
}
