// A list of any length is built and freed, and only an assertion is asked about: which pointers are freed matters to nobody.
// check:   assertions
// expect:  safe
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
    node->value = 10;
    node->next = head;
    head = node;
  }
  while (head) {
    assert(head->value == 10);
    remove_first(&head);
  }
  return 0;
}
