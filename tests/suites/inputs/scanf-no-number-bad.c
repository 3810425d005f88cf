// What is no number is left, but for a sign: white space may be next.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 0)
    return 0;
  int c = getchar();
  assert(c != ' ');
  return 0;
}
