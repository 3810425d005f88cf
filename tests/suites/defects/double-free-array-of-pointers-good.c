// Repaired twin of: the same block stands twice in an array of pointers.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

int main(void) {
  char *blocks[3];
  blocks[0] = malloc(1);
  blocks[1] = malloc(1);
  blocks[2] = malloc(1);
  for (int i = 0; i < 3; i++)
    free(blocks[i]);
  return 0;
}
