// A variable of a second block may lie where that of the first one was.
// check:   assertions
// expect:  unsafe assertion @ line 16
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  uintptr_t before;
  {
    int a = 1;
    before = (uintptr_t)&a;
  }
  {
    int b = 2;
    assert(before != (uintptr_t)&b);
  }
  return 0;
}
