// The user says that the function changes nothing.
// check:     assertions
// expect:    safe
// engines:   run bmc
// options:   --external pure

#include <assert.h>
int state;
void log_event(void);
int main(void) {
  state = 1;
  log_event();
  assert(state == 1);
  return 0;
}
