// A function that was given is called by another one, with a pointer that was given.
// check:     assertions
// expect:    unsafe assertion @ line 16
// engines:   run bmc
// inputs:    false false false true true false false

#include <assert.h>
static void count(void *context) { ++*(int *)context; }
void subscribe(void (*function)(void *), void *context);
void poll(void);
int main(void) {
  static int events;
  subscribe(count, &events);
  events = 0;
  poll();
  assert(events < 1);
  return 0;
}
