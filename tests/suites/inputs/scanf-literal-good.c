// A comma stands between the two numbers.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int a = 0, b = 0;
  int count = scanf("%d,%d", &a, &b);
  assert(count <= 2 && (count >= 2 || b == 0));
  return 0;
}
