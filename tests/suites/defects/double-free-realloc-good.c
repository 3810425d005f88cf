// Repaired twin of: hands a freed block to realloc.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

int main(void) {
  char *block = malloc(3);
  block = realloc(block, 10);
  free(block);
  return 0;
}
