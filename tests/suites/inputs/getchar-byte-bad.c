// Some byte is an x.
// check:   assertions
// expect:  unsafe assertion @ line 10
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int c = getchar();
  assert(c != 'x');
  return 0;
}
