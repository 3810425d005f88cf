// A number that is read may be any.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  unsigned numbers[2] = {1, 2};
  size_t count = fread(numbers, sizeof numbers[0], 2, stdin);
  assert(count < 2 || numbers[1] != 0x61626364);
  return 0;
}
