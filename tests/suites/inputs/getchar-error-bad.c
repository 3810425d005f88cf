// A read may fail, and then the end was not reached.
// check:   assertions
// expect:  unsafe assertion @ line 12
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  while (getchar() == 'a')
    break;
  int c = fgetc(stdin);
  assert(c != EOF || feof(stdin));
  return 0;
}
