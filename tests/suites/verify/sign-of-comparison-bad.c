// C promises the sign of what strcmp returns, and no more.
// check:   assertions
// expect:  unsafe assertion @ line 12
// engines: bmc
#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char left[2] = {__VERIFIER_nondet_char(), 0};
  char right[2] = {'m', 0};
  int order = strcmp(left, right);
  assert(order <= 1);
  return 0;
}
