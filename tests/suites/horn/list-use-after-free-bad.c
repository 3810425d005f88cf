// A node is used after it was freed.
// check:   memory-safety
// expect:  unsafe use-after-free @ line 18
// engines: horn
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
typedef struct node { int value; struct node *next; } Node;
int main(void) {
  Node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    Node *node = malloc(sizeof *node);
    node->value = 10;
    node->next = head;
    head = node;
  }
  while (head) {
    free(head);
    head = head->next;
  }
  return 0;
}
