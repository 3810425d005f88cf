// Repaired twin of: calls a method through an object that its destructor released.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

struct object {
  int (*method)(struct object *);
  int state;
};

static int get_state(struct object *o) { return o->state; }

int main(void) {
  struct object *o = malloc(sizeof *o);
  if (o == NULL)
    return 1;
  o->method = get_state;
  o->state = 0;
  int state = o->method(o);
  free(o);
  return state;
}
