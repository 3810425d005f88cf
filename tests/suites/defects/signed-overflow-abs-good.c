// Repaired twin of: calls abs with the smallest int.
// check:     integer-overflow
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

#include <limits.h>
#include <stdlib.h>

int main(void) {
  int value = INT_MIN;
  value++;
  return abs(value) == 0;
}
