// Repaired twin of: divides the smallest int by minus one.
// check:     integer-overflow
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

#include <limits.h>

int main(void) {
  int dividend = INT_MIN, divisor = -1;
  dividend = -INT_MAX;
  return dividend / divisor == 0;
}
