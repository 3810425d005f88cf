// A function may make one object point to another that it knows.
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
  struct node a = {0, 0}, b = {0, 0};
  join(&a, &b);
  if (a.next == &b) {
    b.value = 0;
    a.next->value = 1;
    assert(b.value == 0);
  }
  return 0;
}
