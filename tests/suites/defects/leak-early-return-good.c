// Repaired twin of: leaves a function on an error without releasing its buffer.
// check:     memory-leak
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

static int process(int size) {
  char *buffer = malloc(100);
  if (buffer == NULL)
    return 1;
  if (size > 100) {
    free(buffer);
    return 0;
  }
  buffer[0] = 1;
  free(buffer);
  return 0;
}

int main(void) { return process(200); }
