// A function without a body writes through its argument.
// check:     assertions
// expect:    unsafe assertion @ line 12
// engines:   run bmc
// inputs:    true false 5

#include <assert.h>
void read_sensor(int *value);
int main(void) {
  int value = 0;
  read_sensor(&value);
  assert(value == 0);
  return 0;
}
