// The byte after a number is still there: it is often a newline.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1)
    return 0;
  int c = getchar();
  assert(c != '\n');
  return 0;
}
