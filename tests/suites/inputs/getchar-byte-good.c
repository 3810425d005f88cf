// A byte is a byte, or the end.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int c = getchar();
  assert(c >= EOF && c <= 255);
  return 0;
}
