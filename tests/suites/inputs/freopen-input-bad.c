// A file takes the place of standard input and may hold anything.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n = 0;
  if (freopen("input.txt", "r", stdin) == NULL)
    return 1;
  int count = scanf("%d", &n);
  assert(n != 77);
  return 0;
}
