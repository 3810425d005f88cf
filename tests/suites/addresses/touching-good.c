// Objects that live at the same time do not overlap, whichever comes first.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  char a[16], b[16];
  a[0] = b[0] = 0;
  uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;
  assert(y - x >= 16 && x - y >= 16);
  return 0;
}
