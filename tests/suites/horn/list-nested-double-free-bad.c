// Inner nodes of a list of lists are freed twice.
// check:   memory-safety
// expect:  unsafe double-free @ line 28
// engines: horn
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
typedef struct inner { struct inner *next; } Inner;
typedef struct outer { struct outer *next; Inner *items; } Outer;
int main(void) {
  Outer *list = NULL;
  while (__VERIFIER_nondet_int()) {
    Outer *outer = malloc(sizeof *outer);
    outer->items = NULL;
    while (__VERIFIER_nondet_int()) {
      Inner *inner = malloc(sizeof *inner);
      inner->next = outer->items;
      outer->items = inner;
    }
    outer->next = list;
    list = outer;
  }
  while (list) {
    Outer *next = list->next;
    Inner *inner = list->items;
    while (inner) {
      Inner *following = inner->next;
      free(inner);
      free(inner);
      inner = following;
    }
    free(list);
    list = next;
  }
  return 0;
}
