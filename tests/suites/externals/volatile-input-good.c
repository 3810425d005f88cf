// By default a volatile object is changed by the program only.
// check:     assertions
// expect:    safe
// engines:   run bmc

#include <assert.h>
volatile int status;
int main(void) {
  status = 1;
  int first = status, second = status;
  assert(first == second);
  return 0;
}
