// Repaired twin of: reads the long view of a union that was allocated as its short one.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

union number {
  short small;
  long large;
};

int main(void) {
  union number *n = calloc(1, sizeof(union number));
  if (n == NULL)
    return 1;
  long value = n->large;
  free(n);
  return value != 0;
}
