// The sign of a comparison tells which string comes first.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <string.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
  char left[2] = {__VERIFIER_nondet_char(), 0};
  char right[2] = {'m', 0};
  int order = strcmp(left, right);
  assert((order < 0) == ((unsigned char)left[0] < 'm'));
  assert((order == 0) == (left[0] == 'm'));
  assert((memcmp(left, right, 2) > 0) == (order > 0));
  return 0;
}
