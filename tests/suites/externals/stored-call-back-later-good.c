// What is put into a known variable after the last call from outside is not called.
// check:     assertions
// expect:    safe
// engines:   run absint bmc

#include <assert.h>
struct queue {
  void (*handler)(void);
};
static struct queue queue;
static int marked;
static void mark(void) { marked = 1; }
void run_queue(void);
int main(void) {
  run_queue();
  assert(marked == 0);
  queue.handler = mark;
  assert(marked == 0);
  queue.handler();
  assert(marked == 1);
  return 0;
}
