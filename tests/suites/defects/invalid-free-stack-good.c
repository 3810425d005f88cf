// Repaired twin of: frees an array that lives on the stack.
// check:     memory-safety
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

#include <stdlib.h>

int main(void) {
  char local[16];
  int on_heap = 0;
  char *buffer = local;
  if (on_heap)
    free(buffer);
  return 0;
}
