// What is changed lies behind a pointer in the object that is given.
// check:     assertions
// expect:    unsafe assertion @ line 16
// engines:   run bmc
// inputs:    true false 3

#include <assert.h>
struct node {
  int value;
  struct node *next;
};
void visit(struct node *first);
int main(void) {
  struct node last = {2, 0}, first = {1, &last};
  visit(&first);
  assert(last.value == 2);
  return 0;
}
