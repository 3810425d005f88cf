// The order of functions is not said.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdint.h>

static int f(void) { return 1; }
static int g(void) { return 2; }
int main(void) {
  assert((uintptr_t)f < (uintptr_t)g);
  return 0;
}
