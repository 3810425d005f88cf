// Where a floating-point number breaks off, a digit may be next.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  float x = 1;
  if (scanf("%f", &x) != 0)
    return 0;
  int c = getchar();
  assert(c != '5');
  return 0;
}
