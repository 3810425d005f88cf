// The user says so of one function, and not of the other.
// check:     assertions
// expect:    unsafe assertion @ line 17
// engines:   run bmc
// options:   --external-function log_event=pure
// inputs:    true false 0

#include <assert.h>
int state;
void log_event(void);
void update(void);
int main(void) {
  state = 1;
  log_event();
  assert(state == 1);
  update();
  assert(state == 1);
  return 0;
}
