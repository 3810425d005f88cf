// Memory from malloc that is given may be pointed to later.
// check:     assertions memory-safety
// expect:    unsafe assertion @ line 22
// engines:   run bmc
// inputs:    false true true &1

#include <assert.h>
#include <stdlib.h>
struct node {
  struct node *next;
  int value;
};
void keep(struct node *node);
void join(struct node *node);
int main(void) {
  struct node a = {0, 0}, *b = malloc(sizeof *b);
  b->next = 0;
  keep(b);
  join(&a);
  if (a.next == b) {
    b->value = 0, a.next->value = 1;
    assert(b->value == 0);
  }
  return 0;
}
