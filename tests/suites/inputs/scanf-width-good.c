// A width limits the digits.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  unsigned a = 0, b = 0;
  int count = scanf("%2u%2u", &a, &b);
  assert(count != 2 || b <= 99 || b >= 4294967287u);
  return 0;
}
