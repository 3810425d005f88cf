// The items of a list are not freed.
// check:   memory-cleanup
// expect:  unsafe not-freed @ line 12
// engines: horn
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
    free(list);
    list = next;
  }
  return 0;
}
