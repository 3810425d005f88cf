// Repaired twin of: reads a value from a block that was just freed.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

int main(void) {
  int *value = malloc(sizeof *value);
  if (value == NULL)
    return 1;
  *value = 5;
  int copy = *value;
  free(value);
  return copy != 5;
}
