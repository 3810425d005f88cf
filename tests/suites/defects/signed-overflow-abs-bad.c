// Calls abs with the smallest int.
// check:     integer-overflow
// expect:    unsafe signed-overflow @ line 12
// engines:   run bmc
// sanitizer: undefined

#include <limits.h>
#include <stdlib.h>

int main(void) {
  int value = INT_MIN;
  return abs(value) == 0;
}
