// Frees a block on the error path and again at the end.
// check:     memory-safety
// expect:    unsafe double-free @ line 15
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

int main(void) {
  char *block = malloc(3);
  int failed = 1;
  if (failed) {
    free(block);
  }
  free(block);
  return 0;
}
