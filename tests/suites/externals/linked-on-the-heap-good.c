// Memory from malloc that nobody gave away is not pointed to from outside.
// check:     assertions memory-safety
// expect:    safe
// engines:   run bmc

#include <assert.h>
#include <stdlib.h>
struct node {
  struct node *next;
  int value;
};
void join(struct node *node);
int main(void) {
  struct node a = {0, 0}, *b = malloc(sizeof *b);
  b->next = 0;
  join(&a);
  b->value = 0;
  if (a.next == &a)
    a.next->value = 1;
  assert(b->value == 0);
  free(b);
  return 0;
}
