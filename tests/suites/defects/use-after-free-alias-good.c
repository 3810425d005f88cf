// Repaired twin of: writes through a second pointer to a freed block.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

int main(void) {
  char *buffer = malloc(8);
  if (buffer == NULL)
    return 1;
  char *cursor = buffer + 3;
  *cursor = 'c';
  free(buffer);
  return 0;
}
