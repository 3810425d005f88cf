// A random number may be any of its range.
// check:   assertions
// expect:  unsafe assertion @ line 10
// engines: bmc
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int roll = rand() % 6;
  assert(roll != 3);
  return 0;
}
