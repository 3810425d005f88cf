// A constant table keeps its functions.
// check:     assertions memory-safety
// expect:    safe
// engines:   run bmc

#include <assert.h>
struct table {
  void (*handle)(void);
};
static int rung;
static void ring(void) { rung++; }
void fill(const struct table *table);
int main(void) {
  const struct table table = {ring};
  fill(&table);
  rung = 0;
  table.handle();
  assert(rung == 1);
  return 0;
}
