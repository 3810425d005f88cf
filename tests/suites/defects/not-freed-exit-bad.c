// Calls exit while a local still holds a block.
// check:     memory-cleanup
// expect:    unsafe not-freed @ line 10
// engines:   run bmc
// sanitizer: none: the block is still reachable from main's frame

#include <stdlib.h>

int main(void) {
  char *block = malloc(10);
  if (block != NULL)
    block[0] = 0;
  exit(0);
}
