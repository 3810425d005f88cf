// The two numbers of a pair are not ordered.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int a = 0, b = 0;
  int count = scanf("%d,%d", &a, &b);
  assert(count < 2 || a <= b);
  return 0;
}
