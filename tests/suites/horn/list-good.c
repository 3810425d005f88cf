// A list of any length is built, and freed.
// check:   memory-safety
// expect:  safe
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
    head = next;
  }
  return 0;
}
