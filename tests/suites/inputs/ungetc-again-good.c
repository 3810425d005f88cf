// What was given back comes again.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int c = getchar();
  if (c == EOF)
    return 0;
  ungetc(c, stdin);
  int d = getchar();
  assert(c == d && !feof(stdin));
  return 0;
}
