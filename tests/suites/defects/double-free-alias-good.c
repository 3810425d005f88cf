// Repaired twin of: two structs share one buffer, and both release it.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

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
  struct buffer second = {malloc(4)};
  release(&first);
  release(&second);
  return 0;
}
