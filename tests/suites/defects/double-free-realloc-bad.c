// Hands a freed block to realloc.
// check:     memory-safety
// expect:    unsafe double-free @ line 12
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

int main(void) {
  char *block = malloc(3);
  free(block);
  block = realloc(block, 10);
  free(block);
  return 0;
}
