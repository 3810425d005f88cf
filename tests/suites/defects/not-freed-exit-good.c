// Repaired twin of: calls exit while a local still holds a block.
// check:     memory-cleanup
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

int main(void) {
  char *block = malloc(10);
  if (block != NULL)
    block[0] = 0;
  free(block);
  exit(0);
}
