// A function that is given is called.
// check:     assertions
// expect:    unsafe assertion @ line 13
// engines:   run bmc
// inputs:    false true true false false

#include <assert.h>
static int calls;
static void tick(void) { calls++; }
void every_second(void (*function)(void));
int main(void) {
  every_second(tick);
  assert(calls == 0);
  return 0;
}
