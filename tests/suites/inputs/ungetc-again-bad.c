// What was given back is not what comes after it.
// check:   assertions
// expect:  unsafe assertion @ line 14
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int c = getchar();
  if (c == EOF)
    return 0;
  ungetc(c, stdin);
  int d = getchar();
  assert(getchar() == d);
  return 0;
}
