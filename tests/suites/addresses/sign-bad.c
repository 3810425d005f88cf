// An address read as a signed number may be negative.
// check:   assertions
// expect:  unsafe assertion @ line 10
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  int x = 0;
  assert((intptr_t)&x > 0);
  return x;
}
