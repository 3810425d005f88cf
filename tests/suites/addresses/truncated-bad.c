// The lower half of an address can be anything, 0 too.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  int x = 0;
  unsigned low = (unsigned)(uintptr_t)&x;
  assert(low != 0);
  return x;
}
