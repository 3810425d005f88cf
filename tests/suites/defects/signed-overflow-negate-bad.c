// Negates the smallest int.
// check:     integer-overflow
// expect:    unsafe signed-overflow @ line 10
// engines:   run bmc
// sanitizer: undefined

#include <limits.h>

static int absolute(int value) {
  return value < 0 ? -value : value;
}

int main(void) { return absolute(INT_MIN) == 0; }
