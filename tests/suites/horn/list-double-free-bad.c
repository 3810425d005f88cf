// Nodes of a list are freed twice.
// check:   memory-safety
// expect:  unsafe double-free @ line 19
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
    Node *next = head->next;
    free(head);
    free(head);
    head = next;
  }
  return 0;
}
