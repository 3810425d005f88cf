// A set takes what is in it, the bracket's neighbour too.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  char text[5] = "";
  scanf("%4[a-c]", text);
  assert(text[0] != 'c');
  return 0;
}
