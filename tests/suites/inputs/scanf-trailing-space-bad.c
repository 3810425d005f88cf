// White space at the end of a format waits for something else.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n;
  if (scanf("%d ", &n) != 1)
    return 0;
  int c = getchar();
  assert(c == EOF);
  return 0;
}
