// Calls a method through an object that its destructor released.
// check:     memory-safety
// expect:    unsafe use-after-free @ line 23
// engines:   run bmc
// sanitizer: address

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
  free(o);
  int state = o->method(o);
  return state;
}
