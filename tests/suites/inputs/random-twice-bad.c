// Two random numbers may be equal.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#define _GNU_SOURCE
#include <assert.h>
#include <stdlib.h>

int main(void) {
  long a = random(), b = random();
  assert(a != b);
  return 0;
}
