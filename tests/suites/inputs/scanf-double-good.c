// A number is stored only if there is one.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  double x = 2;
  int count = scanf("%lf", &x);
  assert(count == 1 || x == 2);
  return 0;
}
