// Frees the cursor instead of the start of the block.
// check:     memory-safety
// expect:    unsafe invalid-free @ line 14
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

int main(void) {
  char *start = calloc(4, 1), *cursor = start;
  if (start == NULL)
    return 1;
  cursor += 2;
  free(cursor);
  return 0;
}
