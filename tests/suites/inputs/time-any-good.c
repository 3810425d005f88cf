// Both ways to get the time agree.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <time.h>

int main(void) {
  time_t stored, now = time(&stored);
  assert(now == stored && now >= 0);
  return 0;
}
