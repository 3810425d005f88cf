// Divides the smallest int by minus one.
// check:     integer-overflow
// expect:    unsafe division-overflow @ line 11
// engines:   run bmc
// sanitizer: undefined

#include <limits.h>

int main(void) {
  int dividend = INT_MIN, divisor = -1;
  return dividend / divisor == 0;
}
