// Measures the distance between two blocks of the heap.
// check:     undefined
// expect:    unsafe pointer-comparison @ line 13
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

int main(void) {
  char *a = malloc(4), *b = malloc(4);
  if (a == NULL || b == NULL)
    return 1;
  long distance = b - a;
  free(a);
  free(b);
  return distance == 0;
}
