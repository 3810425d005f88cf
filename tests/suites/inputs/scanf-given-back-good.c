// A number whose first digit was given back begins with it.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int c = getchar(), n = 0;
  if (c != '4')
    return 0;
  ungetc(c, stdin);
  scanf("%d", &n);
  assert(n != 5217 && n != 7 && n != 0);
  return 0;
}
