// The same for structures and parts of them.
// check:   assertions
// expect:  unsafe assertion @ line 20
// engines: run bmc
// inputs:  7 7 7

#include <assert.h>

struct s {
  int x;
  int y;
  char z[5];
};

int main(void) {
  struct s a, b;
  a.x = 1;
  b = a;
  a.y = b.y + 1u > 5u;
  assert(a.y == b.y);
  return 0;
}
