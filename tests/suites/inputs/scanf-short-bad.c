// A number that is too large for a short is cut.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  short pair[2] = {5, 6};
  scanf("%hd", &pair[0]);
  assert(pair[0] >= 0);
  return 0;
}
