// Reads a value from a block that was just freed.
// check:     memory-safety
// expect:    unsafe use-after-free @ line 15
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

int main(void) {
  int *value = malloc(sizeof *value);
  if (value == NULL)
    return 1;
  *value = 5;
  free(value);
  return *value != 5;
}
