// The last node of a list is not freed.
// check:   memory-cleanup
// expect:  unsafe not-freed @ line 11
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
  while (head && head->next) {
    Node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
