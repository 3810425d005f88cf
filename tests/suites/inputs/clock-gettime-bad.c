// Any part of a second may have passed.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: bmc
#define _GNU_SOURCE
#include <assert.h>
#include <time.h>

int main(void) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0)
    return 1;
  assert(now.tv_nsec != 999999999);
  return 0;
}
