// Two structs share one buffer, and both release it.
// check:     memory-safety
// expect:    unsafe double-free @ line 14
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

struct buffer {
  char *bytes;
};

static void release(struct buffer *b) {
  free(b->bytes);
  b->bytes = NULL;
}

int main(void) {
  struct buffer first = {malloc(4)};
  struct buffer second = first;
  release(&first);
  release(&second);
  return 0;
}
