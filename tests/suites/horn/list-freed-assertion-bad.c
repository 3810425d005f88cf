// The same with a node of another value.
// check:   assertions
// expect:  unsafe assertion @ line 23
// engines: horn
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
typedef struct node { int value; struct node *next; } Node;
static Node *head;
static void remove_first(Node **list) {
  Node *rest = (*list)->next;
  free(*list);
  *list = rest;
}
int main(void) {
  while (__VERIFIER_nondet_int()) {
    Node *node = malloc(sizeof *node);
    node->value = __VERIFIER_nondet_int() ? 10 : 11;
    node->next = head;
    head = node;
  }
  while (head) {
    assert(head->value == 10);
    remove_first(&head);
  }
  return 0;
}
