// Some number is one half.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  double x = 2;
  int count = scanf("%lf", &x);
  assert(x != 0.5);
  return 0;
}
