// Assigns a second block to the only pointer to the first.
// check:     memory-leak
// expect:    unsafe leak @ line 10
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

int main(void) {
  char *block = malloc(10);
  block = malloc(20);
  free(block);
  return 0;
}
