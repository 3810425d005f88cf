// Functions have addresses of their own, apart from those of data.
// check:   assertions memory-safety
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>

static int x;
static int f(void) { return 1; }
static int g(void) { return 2; }
int main(void) {
  assert((uintptr_t)f != (uintptr_t)g);
  assert((uintptr_t)f != 0 && (uintptr_t)f != (uintptr_t)&x);
  int (*h)(void) = (int (*)(void))(uintptr_t)g;
  assert(h() == 2);
  return 0;
}
