// Copies into a buffer that was never allocated.
// check:     memory-safety
// expect:    unsafe null-dereference @ line 17
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>
#include <string.h>

struct message {
  char *body;
  size_t size;
};

int main(void) {
  struct message m = {NULL, 4};
  memcpy(m.body, "data", m.size);
  return 0;
}
