// A list with pointers in both directions, whose nodes are used after they were freed.
// check:   memory-safety
// expect:  unsafe use-after-free @ line 20
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
    head->previous = next;
    head = next;
  }
  return 0;
}
