// Releases a struct but not the array that it owns.
// check:     memory-leak
// expect:    unsafe leak @ line 17
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

struct vector {
  int *items;
};

static struct vector *make(void) {
  struct vector *v = malloc(sizeof *v);
  if (v == NULL)
    exit(0);
  v->items = malloc(4 * sizeof(int));
  return v;
}

int main(void) {
  struct vector *v = make();
  free(v);
  return 0;
}
