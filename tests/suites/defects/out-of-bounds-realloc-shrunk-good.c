// Repaired twin of: uses the old length of a block that realloc made smaller.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

int main(void) {
  int n = 8;
  char *block = calloc(n, 1);
  if (block == NULL)
    return 1;
  char *smaller = realloc(block, 4);
  if (smaller == NULL)
    return 1;
  int last = 3;
  smaller[last] = 1;
  free(smaller);
  return 0;
}
