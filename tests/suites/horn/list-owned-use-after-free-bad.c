// The item of a node is asked for after the node was freed.
// check:   memory-safety
// expect:  unsafe use-after-free @ line 19
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
    free(list->item);
    list = next;
  }
  return 0;
}
