// Frees an array that lives on the stack.
// check:     memory-safety
// expect:    unsafe invalid-free @ line 14
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

int main(void) {
  char local[16];
  int on_heap = 1;
  char *buffer = local;
  if (on_heap)
    free(buffer);
  return 0;
}
