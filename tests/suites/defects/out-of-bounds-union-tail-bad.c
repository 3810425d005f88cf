// Reads the long view of a union that was allocated as its short one.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 18
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

union number {
  short small;
  long large;
};

int main(void) {
  union number *n = calloc(1, sizeof(short));
  if (n == NULL)
    return 1;
  long value = n->large;
  free(n);
  return value != 0;
}
