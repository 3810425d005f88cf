// A device changes a volatile object.
// check:     assertions
// expect:    unsafe assertion @ line 13
// engines:   run bmc
// options:   --volatile input
// inputs:    1 2

#include <assert.h>
volatile int status;
int main(void) {
  status = 1;
  int first = status, second = status;
  assert(first == second);
  return 0;
}
