// Standard input that cannot be opened is not read.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n = 0;
  if (freopen("input.txt", "r", stdin) == NULL)
    return 1;
  int count = scanf("%d", &n);
  assert(count == 1 || n == 0);
  return 0;
}
