// One of two variables comes first, and addresses within an object are in order.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  int a[4] = {0}, b = 2;
  uintptr_t x = (uintptr_t)a, y = (uintptr_t)&b;
  assert(x < y || y < x);
  assert((uintptr_t)&a[1] < (uintptr_t)&a[3] && x < (uintptr_t)(a + 4));
  return b - 2;
}
