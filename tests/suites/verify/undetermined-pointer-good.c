// The pointer in the new node is written before it is used.
// check:   assertions
// expect:  safe
// engines: bmc
#include <stdlib.h>

void __VERIFIER_assert(int condition);

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *node = malloc(sizeof *node);
  node->next = node;
  node->value = 7;
  int found = node->next->value;
  __VERIFIER_assert(found == 7);
  return 0;
}
