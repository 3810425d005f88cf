// A tag in the lowest bit of a pointer that is not taken off again.
// check:   assertions memory-safety
// expect:  unsafe out-of-bounds @ line 12
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  int x = 7;
  uintptr_t tagged = (uintptr_t)&x | 1;
  assert(tagged & 1);
  return *(int *)tagged - 7;
}
