// A set takes only what is in it.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  char text[5] = "";
  scanf("%4[a-c]", text);
  assert(text[0] == 0 || (text[0] >= 'a' && text[0] <= 'c'));
  return 0;
}
