// Repaired twin of: copies into a buffer that was never allocated.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>
#include <string.h>

struct message {
  char *body;
  size_t size;
};

int main(void) {
  struct message m = {NULL, 4};
  m.body = malloc(m.size);
  if (m.body == NULL)
    return 1;
  memcpy(m.body, "data", m.size);
  free(m.body);
  return 0;
}
