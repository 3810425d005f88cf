// A counter of long long at its limit is incremented through a pointer.
// check:     integer-overflow
// expect:    unsafe signed-overflow @ line 10
// engines:   run bmc
// sanitizer: undefined

#include <limits.h>

static void count(long long *counter) {
  ++*counter;
}

int main(void) {
  long long visits = LLONG_MAX - 1;
  count(&visits);
  count(&visits);
  return visits == 0;
}
