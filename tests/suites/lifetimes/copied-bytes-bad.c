// Bytes that were never written have one value, in copies too, but it is any.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: run bmc
// inputs:  7 7 7 7

#include <assert.h>
#include <string.h>

int main(void) {
  int a[2], b[2];
  memcpy(b, a, sizeof b);
  assert(b[1] == 0);
  return 0;
}
