// The exclusive or of two addresses is the address of neither.
// check:   assertions memory-safety
// expect:  unsafe unknown-pointer @ line 11
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  int a = 1, b = 2;
  uintptr_t both = (uintptr_t)&a ^ (uintptr_t)&b;
  return *(int *)both;
}
