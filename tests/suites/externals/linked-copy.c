// A copy of a pointer that was left leads to the same place.
// check:     assertions memory-safety
// expect:    unsafe assertion @ line 19
// engines:   run bmc
// inputs:    true true &2

#include <assert.h>
struct node {
  struct node *next;
  int value;
};
void join(struct node *first, struct node *second);
int main(void) {
  struct node a = {0, 0}, b = {0, 0}, copy;
  join(&a, &b);
  copy = a;
  if (copy.next == &b) {
    b.value = 0, copy.next->value = 1;
    assert(a.next != &b || b.value == 0);
  }
  return 0;
}
