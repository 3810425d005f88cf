// Repaired twin of: frees the owner first and then what it owns.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

struct owner {
  char *name;
};

int main(void) {
  struct owner *o = malloc(sizeof *o);
  if (o == NULL)
    return 1;
  o->name = malloc(4);
  free(o->name);
  free(o);
  return 0;
}
