// A pointer to the inner array of a struct on the heap runs past the whole struct.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 23
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

struct inner {
  char bytes[4];
};
struct outer {
  int head;
  struct inner inners[2];
};

int main(void) {
  struct outer *o = calloc(1, sizeof *o);
  if (o == NULL)
    return 1;
  char *p = o->inners[0].bytes;
  for (int i = 0; i <= 8; i++)
    p[i] = 'x';
  free(o);
  return 0;
}
