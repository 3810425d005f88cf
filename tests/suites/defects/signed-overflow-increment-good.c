// Repaired twin of: a counter of long long at its limit is incremented through a pointer.
// check:     integer-overflow
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <limits.h>

static void count(long long *counter) {
  if (*counter < LLONG_MAX)
    ++*counter;
}

int main(void) {
  long long visits = LLONG_MAX - 1;
  count(&visits);
  count(&visits);
  return visits == 0;
}
