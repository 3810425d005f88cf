// A number in base 16 may be any.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  unsigned x = 1;
  int count = scanf("%x", &x);
  assert(x != 0xbeef);
  return 0;
}
