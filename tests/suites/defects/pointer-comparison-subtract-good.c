// Repaired twin of: measures the distance between two blocks of the heap.
// check:     undefined
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

int main(void) {
  char *a = malloc(4), *b = malloc(4);
  if (a == NULL || b == NULL)
    return 1;
  char *c = a + 3;
  long distance = c - a;
  free(a);
  free(b);
  return distance == 0;
}
