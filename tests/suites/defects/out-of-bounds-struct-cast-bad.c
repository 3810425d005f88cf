// Reads a header where fewer bytes were received.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 20
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

struct header {
  int kind;
  int length;
};

int main(void) {
  size_t received = 6;
  char *packet = calloc(1, received);
  if (packet == NULL)
    return 1;
  struct header *header = (struct header *)packet;
  int length = header->length;
  free(packet);
  return length;
}
