// A constructor makes the first node of a list.
// check:   assertions
// expect:  unsafe assertion @ line 12
// engines: run bmc
void __VERIFIER_assert(int condition);
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *head;
__attribute__((constructor)) static void before(void) { head = malloc(sizeof *head); head->value = 8; head->next = 0; }
int main(void) {
  struct node *n = malloc(sizeof *n); n->value = 1; n->next = head; head = n;
  for (n = head; n; n = n->next) __VERIFIER_assert(n->value == 1);
  return 0;
}
