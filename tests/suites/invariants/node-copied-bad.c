// One node of a list is overwritten as a whole.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: run bmc
void __VERIFIER_assert(int condition);
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
  struct node *l = 0;
  for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->value = 1; n->next = l; l = n; }
  struct node other = {5, l->next};
  *l = other;
  for (struct node *n = l; n; n = n->next) __VERIFIER_assert(n->value == 1);
  return 0;
}
