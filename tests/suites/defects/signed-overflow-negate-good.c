// Repaired twin of: negates the smallest int.
// check:     integer-overflow
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

#include <limits.h>

static int absolute(int value) {
  if (value == INT_MIN)
    return INT_MAX;
  return value < 0 ? -value : value;
}

int main(void) { return absolute(INT_MIN) == 0; }
