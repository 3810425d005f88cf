// Variables that a function can name may come to point to each other.
// check:     assertions memory-safety
// expect:    unsafe assertion @ line 20
// engines:   run bmc
// inputs:    true true &1

#include <assert.h>
struct node {
  struct node *next;
  int value;
};
struct node first, second;
static struct node *own;
void log_event(void);
int main(void) {
  own = &first;
  log_event();
  if (second.next == &first) {
    first.value = 1, second.next->value = 2;
    assert(own->value == 1);
  }
  return 0;
}
