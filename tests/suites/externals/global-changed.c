// A function without a body may name a global variable.
// check:     assertions
// expect:    unsafe assertion @ line 13
// engines:   run bmc
// inputs:    true false 3

#include <assert.h>
int state;
void callback(void);
int main(void) {
  state = 1;
  callback();
  assert(state == 1);
  return 0;
}
