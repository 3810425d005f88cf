// Repaired twin of: the same for structures and parts of them.
// check:   assertions
// expect:  safe
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
  assert(b.x == 1 && a.y == b.y && a.z[3] == b.z[3]);
  return 0;
}
