// The end of an array, as a number and back, is no place to read from.
// check:   assertions memory-safety
// expect:  unsafe out-of-bounds @ line 12
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  char a[8] = {0}, b[8] = {0};
  uintptr_t end = (uintptr_t)(a + 8);
  char *last = (char *)end;
  return *last + b[0];
}
