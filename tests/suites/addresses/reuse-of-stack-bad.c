// The local variable of a second call may lie where that of the first one was.
// check:   assertions
// expect:  unsafe assertion @ line 15
// engines: bmc
#include <assert.h>
#include <stdint.h>

static uintptr_t __attribute__((noinline)) place(void) {
  int local = 1;
  return (uintptr_t)&local;
}
int main(void) {
  uintptr_t first = place();
  uintptr_t second = place();
  assert(first != second);
  return 0;
}
