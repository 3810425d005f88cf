// The caller's variable lives during the call, and a global all the time.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>

static int global;
static uintptr_t __attribute__((noinline)) place(void) {
  int local = 1;
  return (uintptr_t)&local;
}
int main(void) {
  int own = 2;
  uintptr_t other = place();
  assert(other != (uintptr_t)&own);
  assert(other != (uintptr_t)&global);
  return own - 2;
}
