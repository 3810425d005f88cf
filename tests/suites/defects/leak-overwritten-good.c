// Repaired twin of: assigns a second block to the only pointer to the first.
// check:     memory-leak
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

int main(void) {
  char *block = malloc(10);
  free(block);
  block = malloc(20);
  free(block);
  return 0;
}
