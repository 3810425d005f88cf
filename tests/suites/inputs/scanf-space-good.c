// White space in the format skips white space.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  char c = 'x';
  scanf(" %c", &c);
  assert(c != ' ' && c != '\n');
  return 0;
}
