// Which of two variables comes first is not said.
// check:   assertions
// expect:  unsafe assertion @ line 10
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  int a = 1, b = 2;
  assert((uintptr_t)&a < (uintptr_t)&b);
  return a + b - 3;
}
