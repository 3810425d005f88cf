// No function outside can name a variable with internal linkage.
// check:     assertions memory-safety
// expect:    safe
// engines:   run bmc

#include <assert.h>
struct node {
  struct node *next;
  int value;
};
static struct node first, second;
void log_event(void);
int main(void) {
  log_event();
  if (second.next == &first) {
    first.value = 1, second.next->value = 2;
    assert(first.value == 1);
  }
  return 0;
}
