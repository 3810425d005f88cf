// A callee changes one node of a list.
// check:   assertions
// expect:  unsafe assertion @ line 15
// engines: run bmc
void __VERIFIER_assert(int condition);
#include <stdlib.h>
struct node { int value; struct node *next; };
static void set(struct node *n, int v) { n->value = v; }
int main(void) {
  struct node *l = 0;
  for (int i = 0; i < 4; i++) { struct node *n = malloc(sizeof *n); n->value = 0; n->next = l; l = n; }
  set(l->next, 9);
  int sum = 0;
  for (struct node *n = l; n; n = n->next) sum += n->value;
  __VERIFIER_assert(sum == 0);
  return 0;
}
