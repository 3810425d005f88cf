// A function without a body is called through a pointer.
// check:     assertions
// expect:    unsafe assertion @ line 13
// engines:   run bmc
// inputs:    true false 0

#include <assert.h>
void reset(int *place);
int main(void) {
  void (*function)(int *) = reset;
  int value = 1;
  function(&value);
  assert(value == 1);
  return 0;
}
