// A read that fails says so.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  while (getchar() == 'a')
    break;
  int c = fgetc(stdin);
  assert(c != EOF || feof(stdin) || ferror(stdin));
  return 0;
}
