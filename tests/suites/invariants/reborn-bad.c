// An object is made again and again; the last one counts.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: run bmc
void __VERIFIER_assert(int condition);
#include <stdlib.h>
struct node { int value; struct node *next; };
int main(void) {
  struct node *p = malloc(sizeof *p); p->value = 1;
  struct node *q = p;
  for (int i = 0; i < 3; i++) { free(p); p = malloc(sizeof *p); p->value = i; }
  q = p;
  __VERIFIER_assert(q->value == 1);
  free(p);
  return 0;
}
