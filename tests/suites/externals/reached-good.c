// Nothing leads from the object that is given to the other.
// check:     assertions
// expect:    safe
// engines:   run bmc

#include <assert.h>
struct node {
  int value;
  struct node *next;
};
void visit(struct node *first);
int main(void) {
  struct node last = {2, 0}, first = {1, 0};
  visit(&first);
  assert(last.value == 2);
  return 0;
}
