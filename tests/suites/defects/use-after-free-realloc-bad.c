// Goes on with the old pointer after realloc moved the block.
// check:     memory-safety
// expect:    unsafe use-after-free @ line 17
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

int main(void) {
  int *values = calloc(2, sizeof *values);
  if (values == NULL)
    return 1;
  int *grown = realloc(values, 1000 * sizeof *values);
  if (grown == NULL)
    return 1;
  int *current = values;
  current[1] = 3;
  free(grown);
  return 0;
}
