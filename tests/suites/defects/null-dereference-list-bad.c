// Looks at the node after the last one of a list.
// check:     memory-safety
// expect:    unsafe null-dereference @ line 19
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node second = {2, NULL}, first = {1, &second};
  int sum = 0;
  struct node *n = &first;
  while (sum < 10) {
    sum += n->value;
    n = n->next;
  }
  return sum != 3;
}
