// A character is read as it is, white space too.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  char c = 'x';
  scanf("%c", &c);
  assert(c != ' ');
  return 0;
}
