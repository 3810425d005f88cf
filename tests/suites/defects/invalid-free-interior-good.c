// Repaired twin of: frees the cursor instead of the start of the block.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

int main(void) {
  char *start = calloc(4, 1), *cursor = start;
  if (start == NULL)
    return 1;
  cursor += 2;
  cursor = start;
  free(cursor);
  return 0;
}
