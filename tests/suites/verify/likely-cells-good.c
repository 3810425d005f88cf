// A list whose links come from outside in part: its nodes are known by no offset, but every access
// is of one link.
// check:   assertions memory-safety
// expect:  safe
// engines: bmc
#include <stdlib.h>

void __VERIFIER_assert(int condition);
extern struct node *nondet_node(void);

struct node {
  struct node *next;
  struct node *previous;
};

struct list {
  struct node head, tail;
};

static void link(struct node *after, struct node *node) {
  after->next = node;
  node->previous = after;
}

int main(void) {
  struct list list = {{NULL, NULL}, {NULL, NULL}};
  struct node *first = malloc(sizeof *first), *last = malloc(sizeof *last);
  if (first == NULL || last == NULL)
    return 1;
  volatile unsigned long shown = (unsigned long)&list + (unsigned long)first + (unsigned long)last;
  (void)shown;
  link(&list.head, first);
  first->next = nondet_node();
  last->previous = nondet_node();
  link(last, &list.tail);
  __VERIFIER_assert(list.head.next->previous == &list.head);
  __VERIFIER_assert(list.tail.previous->next == &list.tail);
  free(first);
  free(last);
  return 0;
}
