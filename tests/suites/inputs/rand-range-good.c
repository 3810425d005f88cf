// A random number is in its range.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int roll = rand() % 6;
  assert(roll >= 0 && roll < 6);
  return 0;
}
