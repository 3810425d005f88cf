// A function of a system library does not know the program's variables.
// check:     assertions
// expect:    safe
// engines:   run bmc

#include <assert.h>
#include <unistd.h>
int state;
int main(void) {
  state = 1;
  usleep(10);
  assert(state == 1);
  return 0;
}
