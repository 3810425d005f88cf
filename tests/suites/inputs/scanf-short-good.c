// The neighbour of a short is not touched.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  short pair[2] = {5, 6};
  scanf("%hd", &pair[0]);
  assert(pair[1] == 6);
  return 0;
}
