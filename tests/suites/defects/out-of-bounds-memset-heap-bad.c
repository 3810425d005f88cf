// Clears the size of a pointer's target with the wrong sizeof.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 22
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>
#include <string.h>

struct small {
  int value;
};
struct large {
  int values[10];
};

int main(void) {
  struct small *s = malloc(sizeof *s);
  if (s == NULL)
    return 1;
  size_t size = sizeof(struct large);
  memset(s, 0, size);
  free(s);
  return 0;
}
