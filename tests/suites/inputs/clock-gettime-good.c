// A part of a second is less than one.
// check:   assertions
// expect:  safe
// engines: bmc
#define _GNU_SOURCE
#include <assert.h>
#include <time.h>

int main(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0)
    return 1;
  assert(now.tv_nsec >= 0 && now.tv_nsec < 1000000000);
  return 0;
}
