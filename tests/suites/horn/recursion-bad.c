// A recursive function forgets one.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: horn
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int count(int n) { return n <= 5 ? 0 : 1 + count(n - 1); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0) return 0;
  assert(count(n) == n);
  return 0;
}
