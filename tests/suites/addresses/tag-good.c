// A tag in the lowest bit of a pointer, taken off in three ways.
// check:   assertions memory-safety
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  int x = 7;
  uintptr_t tagged = (uintptr_t)&x | 1;
  assert(tagged & 1);
  int a = *(int *)(tagged & ~(uintptr_t)1);
  int b = *(int *)(tagged - 1);
  int c = *(int *)(tagged ^ 1);
  assert(a == 7 && b == 7 && c == 7);
  return 0;
}
