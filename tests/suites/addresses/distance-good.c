// The distance of two objects leads from one to the other.
// check:   assertions memory-safety
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  char a[8] = {0}, b[8] = {0};
  uintptr_t distance = (uintptr_t)b - (uintptr_t)a;
  *(char *)((uintptr_t)a + distance) = 3;
  assert(b[0] == 3 && a[0] == 0);
  return 0;
}
