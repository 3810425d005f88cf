// What is called does no more than its code says.
// check:     assertions
// expect:    safe
// engines:   run absint

#include <assert.h>
static int limit = 3, calls;
static void tick(void) {
  if (calls < limit)
    calls++;
}
void every_second(void (*function)(void));
int main(void) {
  every_second(tick);
  assert(calls <= 3 && limit == 3);
  return 0;
}
