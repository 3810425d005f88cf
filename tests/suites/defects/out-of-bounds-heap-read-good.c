// Repaired twin of: sums one element more than was allocated.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

int main(void) {
  unsigned n = 6, sum = 0;
  unsigned *values = calloc(n, sizeof *values);
  if (values == NULL)
    return 1;
  for (unsigned i = 0; i < n; i++)
    sum += values[i];
  free(values);
  return (int)sum;
}
