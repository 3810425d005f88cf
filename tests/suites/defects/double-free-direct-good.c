// Repaired twin of: frees a block on the error path and again at the end.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

int main(void) {
  char *block = malloc(3);
  int failed = 1;
  if (failed) {
    free(block);
    block = NULL;
  }
  free(block);
  return 0;
}
