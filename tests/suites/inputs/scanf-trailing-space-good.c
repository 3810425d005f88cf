// After white space at the end of a format comes something else.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n;
  if (scanf("%d ", &n) != 1)
    return 0;
  int c = getchar();
  assert(c != ' ' && c != '\t' && (c != EOF || feof(stdin) || ferror(stdin)));
  return 0;
}
