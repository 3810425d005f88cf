// A random number is not negative.
// check:   assertions
// expect:  safe
// engines: bmc
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

int main(void) {
  long a = random(), b = random();
  assert(a >= 0 && b <= 2147483647);
  return 0;
}
