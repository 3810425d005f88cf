// A callee makes objects and leaves them as they are: their contents are not determined.
// check:   assertions
// expect:  unsafe assertion @ line 14
// engines: bmc
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *make(void) { return malloc(sizeof(struct node)); }
int main(void) {
  struct node *p = make();
  struct node *q = make();
  if (__VERIFIER_nondet_int()) p = q;
  __VERIFIER_assert(p->value == 5);
  return 0;
}
