// No address of an object is null, and none wraps around.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  int x = 0;
  uintptr_t start = (uintptr_t)&x, end = (uintptr_t)(&x + 1);
  assert(start != 0 && end == start + 4 && end > start);
  return x;
}
