// Frees the owner first and then what it owns.
// check:     memory-safety
// expect:    unsafe use-after-free @ line 19
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

struct owner {
  char *name;
};

int main(void) {
  struct owner *o = malloc(sizeof *o);
  if (o == NULL)
    return 1;
  o->name = malloc(4);
  free(o);
  free(o->name);
  return 0;
}
