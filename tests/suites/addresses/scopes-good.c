// A variable of an inner block does not lie where one of the outer block is.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  int outer = 1;
  {
    int a = 1;
    assert((uintptr_t)&outer != (uintptr_t)&a);
  }
  {
    int b = 2;
    assert((uintptr_t)&outer != (uintptr_t)&b);
  }
  return outer - 1;
}
