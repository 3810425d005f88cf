// Repaired twin of: reads a header where fewer bytes were received.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

struct header {
  int kind;
  int length;
};

int main(void) {
  size_t received = 8;
  char *packet = calloc(1, received);
  if (packet == NULL)
    return 1;
  struct header *header = (struct header *)packet;
  int length = header->length;
  free(packet);
  return length;
}
