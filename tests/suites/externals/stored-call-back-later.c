// What was put into a known variable is called later, by a function that was given nothing.
// check:     assertions
// expect:    unsafe assertion @ line 17
// engines:   bmc

#include <assert.h>
struct queue {
  void (*handler)(void);
};
struct queue queue;
static int marked;
static void mark(void) { marked = 1; }
void run_queue(void);
int main(void) {
  queue.handler = mark;
  run_queue();
  assert(marked == 0);
  return 0;
}
