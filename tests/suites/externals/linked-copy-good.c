// A copy that was made before keeps its pointer.
// check:     assertions memory-safety
// expect:    safe
// engines:   run bmc

#include <assert.h>
struct node {
  struct node *next;
  int value;
};
void join(struct node *first, struct node *second);
int main(void) {
  struct node a = {0, 0}, b = {0, 0}, copy = a;
  join(&a, &b);
  assert(copy.next != &b);
  return 0;
}
