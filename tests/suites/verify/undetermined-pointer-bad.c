// The pointer in the new node was never written. What lies there may be the address of anything,
// so that the assertion behind the access can fail although memory safety is taken for granted.
// check:   assertions
// expect:  unsafe assertion @ line 19
// engines: bmc
// bmc:     unknown FIXME: an access through such a pointer cannot be repeated in the interpreter
#include <stdlib.h>

void __VERIFIER_assert(int condition);

struct node {
  struct node *next;
  int value;
};

int main(void) {
  struct node *node = malloc(sizeof *node);
  int found = node->next->value;
  __VERIFIER_assert(found == 7);
  return 0;
}
