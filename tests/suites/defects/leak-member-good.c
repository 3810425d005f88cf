// Repaired twin of: releases a struct but not the array that it owns.
// check:     memory-leak
// expect:    safe
// engines:   run bmc
// sanitizer: none

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
  free(v->items);
  free(v);
  return 0;
}
