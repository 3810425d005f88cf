// A table of functions that is given may come to hold another function that is known.
// check:     assertions memory-safety
// expect:    unsafe assertion @ line 24
// engines:   run bmc
// inputs:    false false true true false &1

#include <assert.h>
struct table {
  void (*handle)(void);
};
static int rung, opened;
static void ring(void) { rung++; }
static void open(void) { opened++; }
void offer(void (*function)(void));
void fill(struct table *table);
int main(void) {
  struct table table = {ring};
  if (opened || rung)
    return 1;
  offer(open);
  fill(&table);
  rung = opened = 0;
  if (table.handle == open)
    table.handle(), assert(opened == 0);
  return 0;
}
