// What is no number does not begin with a digit.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 0)
    return 0;
  int c = getchar();
  assert(c < '0' || c > '9');
  return 0;
}
