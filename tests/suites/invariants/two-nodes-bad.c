// Two nodes of a list hold different numbers.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: run bmc
void __VERIFIER_assert(int condition);
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
  struct node *l = 0;
  for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->value = i; n->next = l; l = n; }
  struct node *a = l, *b = l->next;
  int x = a->value, y = b->value;
  __VERIFIER_assert(x == y);
  return 0;
}
