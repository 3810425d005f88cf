// The address of a second variable, kept as its exclusive or with the first.
// check:   assertions memory-safety
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  int a = 1, b = 2;
  uintptr_t both = (uintptr_t)&a ^ (uintptr_t)&b;
  assert(*(int *)(both ^ (uintptr_t)&a) == 2);
  assert(*(int *)(both ^ (uintptr_t)&b) == 1);
  return 0;
}
