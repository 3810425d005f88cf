// A list with pointers in both directions is built, and freed from its head.
// check:   memory-safety
// expect:  safe
// engines: horn
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
typedef struct node { struct node *next, *previous; } Node;
int main(void) {
  Node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    Node *node = malloc(sizeof *node);
    node->next = head;
    node->previous = NULL;
    if (head) head->previous = node;
    head = node;
  }
  while (head) {
    Node *next = head->next;
    free(head);
    head = next;
    if (head) head->previous = NULL;
  }
  return 0;
}
