// Nothing lies between two objects unless the compiler puts it there: the end of one may be the
// start of the next, as a number.
// check:   assertions
// expect:  unsafe assertion @ line 12
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  char a[16], b[16];
  a[0] = b[0] = 0;
  assert((uintptr_t)b - (uintptr_t)a != 16);
  return 0;
}
