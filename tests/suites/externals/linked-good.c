// What the function does not know it does not point to.
// check:     assertions memory-safety
// expect:    safe
// engines:   run bmc

#include <assert.h>
struct node {
  struct node *next;
  int value;
};
void join(struct node *first);
int main(void) {
  struct node a = {0, 0}, b = {0, 0};
  join(&a);
  if (a.next == &a) {
    b.value = 0;
    a.next->value = 1;
    assert(b.value == 0);
  }
  return 0;
}
