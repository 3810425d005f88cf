// A table that is filled by address, with a second try.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>

static unsigned slot(const void *p) { return (unsigned)((uintptr_t)p >> 4 & 7); }
int main(void) {
  int x = 1, y = 2;
  const int *table[8] = {0};
  unsigned first = slot(&x), second = slot(&y);
  if (second == first)
    second = (second + 1) % 8;
  table[first] = &x;
  table[second] = &y;
  assert(table[first] == &x && table[second] == &y);
  return x + y - 3;
}
