// The memory that is changed is accessed by the caller of the caller only.
// check:     assertions
// expect:    unsafe assertion @ line 20
// engines:   run bmc
// inputs:    true false 0

#include <assert.h>
struct shared {
  int unused, counter;
} shared;
void log_event(void);
static int work(int x) {
  log_event();
  return x + 1;
}
int main(void) {
  shared.counter = 3;
  int x = work(1);
  assert(x == 2);
  assert(shared.counter == 3);
  return 0;
}
