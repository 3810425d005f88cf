// A node from malloc is linked without setting its next pointer.
// check:     memory-safety
// expect:    unsafe uninitialised-pointer @ line 20
// engines:   run bmc
// sanitizer: memory

#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *n = malloc(sizeof *n);
  if (n == NULL)
    return 1;
  n->value = 1;
  int sum = n->value;
  sum += n->next->value;
  free(n);
  return sum != 1;
}
