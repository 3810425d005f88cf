// The innermost call leaves its node as it is.
// check:   assertions
// expect:  unsafe assertion @ line 16
// engines: run bmc
void __VERIFIER_assert(int condition);
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *build(int n, struct node *rest) {
  struct node *p = malloc(sizeof *p);
  p->next = rest;
  if (n > 0) { struct node *r = build(n - 1, p); p->value = 3; return r; }
  return p;
}
int main(void) {
  struct node *l = build(2, 0);
  __VERIFIER_assert(l->value == 3);
  return 0;
}
