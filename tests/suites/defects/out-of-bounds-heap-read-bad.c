// Sums one element more than was allocated.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 15
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

int main(void) {
  unsigned n = 6, sum = 0;
  unsigned *values = calloc(n, sizeof *values);
  if (values == NULL)
    return 1;
  for (unsigned i = 0; i <= n; i++)
    sum += values[i];
  free(values);
  return (int)sum;
}
