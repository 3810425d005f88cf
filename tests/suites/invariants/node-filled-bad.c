// One node of a list is filled with zeros.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: run bmc
void __VERIFIER_assert(int condition);
#include <stdlib.h>
#include <string.h>
struct node { int value; struct node *next; };
int main(void) {
  struct node *l = 0;
  for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->value = 1; n->next = l; l = n; }
  memset(&l->value, 0, sizeof l->value);
  for (struct node *n = l; n; n = n->next) __VERIFIER_assert(n->value == 1);
  return 0;
}
