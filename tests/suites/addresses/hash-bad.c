// A table that is filled by address: any slot can be hit, and two objects can hit one.
// check:   assertions
// expect:  unsafe assertion @ line 14
// engines: bmc
#include <assert.h>
#include <stdint.h>

static int slot(const void *p) { return (int)((uintptr_t)p >> 4 & 7); }
int main(void) {
  int x = 1, y = 2;
  const int *table[8] = {0};
  table[slot(&x)] = &x;
  table[slot(&y)] = &y;
  assert(table[slot(&x)] == &x);
  return x + y - 3;
}
