// Fig. 4 of the SeaHorn paper: two numbers are exchanged by procedures, one of which can fail.
// check:   assertions
// expect:  safe
// engines: horn
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
static unsigned foo(unsigned x, unsigned y) { return x + y; }
static unsigned bar(unsigned x, unsigned y) {
  unsigned result = x - y;
  assert(!(x >= y && x < result));
  return result;
}
int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
  unsigned old_x = x, old_y = y;
  x = foo(x, y);
  y = bar(x, y);
  x = bar(x, y);
  assert(x == old_y && y == old_x);
  return 0;
}
