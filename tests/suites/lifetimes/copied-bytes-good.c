// Repaired twin of: bytes that were never written have one value, in copies too, but it is any.
// check:   assertions
// expect:  safe
// engines: run bmc
// inputs:  7 7 7 7

#include <assert.h>
#include <string.h>

int main(void) {
  int a[2], b[2], c[2];
  memcpy(b, a, sizeof b);
  memcpy(c, b, sizeof c);
  assert(a[1] == b[1]);
  assert(b[0] == c[0] && a[0] == c[0]);
  return 0;
}
