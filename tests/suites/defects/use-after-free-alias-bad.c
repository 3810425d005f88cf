// Writes through a second pointer to a freed block.
// check:     memory-safety
// expect:    unsafe use-after-free @ line 15
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

int main(void) {
  char *buffer = malloc(8);
  if (buffer == NULL)
    return 1;
  char *cursor = buffer + 3;
  free(buffer);
  *cursor = 'c';
  return 0;
}
