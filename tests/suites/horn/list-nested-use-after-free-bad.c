// An inner node of a list of lists is used after it was freed.
// check:   memory-safety
// expect:  unsafe use-after-free @ line 27
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
      free(inner);
      inner = inner->next;
    }
    free(list);
    list = next;
  }
  return 0;
}
