// Two digits each.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  unsigned a = 0, b = 0;
  int count = scanf("%2u%2u", &a, &b);
  assert(a != 37 || b != 99);
  return 0;
}
