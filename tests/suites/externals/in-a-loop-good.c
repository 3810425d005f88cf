// Many calls, and a counter that nobody outside knows.
// check:     assertions
// expect:    safe
// engines:   run bmc

#include <assert.h>
int event(void);
int total;
static int count;
int main(void) {
  for (int i = 0; i < 20; i++) {
    count++;
    total += event() & 1;
  }
  assert(count == 20);
  return 0;
}
