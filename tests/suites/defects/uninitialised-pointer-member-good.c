// Repaired twin of: a node from malloc is linked without setting its next pointer.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

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
  n->next = NULL;
  int sum = n->value;
  if (n->next != NULL)
    sum += n->next->value;
  free(n);
  return sum != 1;
}
