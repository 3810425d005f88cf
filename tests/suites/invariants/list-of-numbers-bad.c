// A list is filled with numbers of a range, and one of them is changed to another.
// check:   assertions
// expect:  unsafe assertion @ line 16
// engines: bmc
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
  struct node *l = 0;
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    struct node *p = malloc(sizeof *p);
    p->value = __VERIFIER_nondet_int() ? 10 : 20; p->next = l; l = p; if (i == 3) p->value = 21;
  }
  for (struct node *p = l; p; p = p->next) { __VERIFIER_assert(p->value >= 10); __VERIFIER_assert(p->value <= 20); }
  return 0;
}
