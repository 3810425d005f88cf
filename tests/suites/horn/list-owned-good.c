// Every node of a list owns an item; both are freed.
// check:   memory-safety
// expect:  safe
// engines: horn
// horn:    unknown   FIXME: what a node owns is alive when its turn comes: that speaks of two objects
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
typedef struct node { struct node *next; int *item; } Node;
int main(void) {
  Node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    Node *node = malloc(sizeof *node);
    node->item = malloc(sizeof(int));
    node->next = list;
    list = node;
  }
  while (list) {
    Node *next = list->next;
    free(list->item);
    free(list);
    list = next;
  }
  return 0;
}
