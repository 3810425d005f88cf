// Where a floating-point number breaks off, nothing is stored.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  float x = 1;
  if (scanf("%f", &x) != 0)
    return 0;
  int c = getchar();
  assert(x == 1 && c <= 255);
  return 0;
}
