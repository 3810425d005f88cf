// The program may run at any time.
// check:   assertions
// expect:  unsafe assertion @ line 10
// engines: bmc
#include <assert.h>
#include <time.h>

int main(void) {
  time_t stored, now = time(&stored);
  assert(now != 1234567890);
  return 0;
}
