// A value beyond 20 is put into a list of any length, and is found there.
// check:   assertions
// expect:  unsafe assertion @ line 20
// engines: horn
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
typedef struct node { int value; struct node *next; } Node;
int main(void) {
  Node *head = NULL;
  while (__VERIFIER_nondet_int()) {
    int value = __VERIFIER_nondet_int();
    if (value < 10 || value > 21) continue;
    Node *node = malloc(sizeof *node);
    node->value = value;
    node->next = head;
    head = node;
  }
  for (Node *node = head; node; node = node->next)
    assert(node->value >= 10 && node->value <= 20);
  return 0;
}
