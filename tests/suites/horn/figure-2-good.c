// Fig. 2 of the SeaHorn paper: assertions deep in calls.
// check:   assertions
// expect:  safe
// engines: horn
#include <assert.h>
int __VERIFIER_nondet_int(void);
static int sum;
static void p2(int n) { assert(n >= 0); }
static void p1(int n) {
  p2(n);
  assert(sum <= 10);
  sum = sum + n;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 10) return 0;
  p1(n);
  p1(0);
  assert(sum == n);
  return 0;
}
