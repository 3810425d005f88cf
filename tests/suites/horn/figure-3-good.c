// Fig. 3 of the SeaHorn paper: a loop increments two numbers, here as long as they are small.
// check:   assertions
// expect:  safe
// engines: horn
#include <assert.h>
int __VERIFIER_nondet_int(void);
int main(void) {
  int x = 1, y = 0;
  while (__VERIFIER_nondet_int() && x < 1000000) {
    x = x + y;
    y = y + 1;
  }
  assert(x >= y);
  return 0;
}
