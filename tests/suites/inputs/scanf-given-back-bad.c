// A number whose first digit was given back begins with it.
// check:   assertions
// expect:  unsafe assertion @ line 14
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int c = getchar(), n = 0;
  if (c != '4')
    return 0;
  ungetc(c, stdin);
  scanf("%d", &n);
  assert(n != 4217);
  return 0;
}
