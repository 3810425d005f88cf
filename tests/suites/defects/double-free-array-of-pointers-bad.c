// The same block stands twice in an array of pointers.
// check:     memory-safety
// expect:    unsafe double-free @ line 15
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

int main(void) {
  char *blocks[3];
  blocks[0] = malloc(1);
  blocks[1] = malloc(1);
  blocks[2] = blocks[0];
  for (int i = 0; i < 3; i++)
    free(blocks[i]);
  return 0;
}
