// Items are whole.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  unsigned numbers[2] = {1, 2};
  size_t count = fread(numbers, sizeof numbers[0], 2, stdin);
  assert(count <= 2);
  return 0;
}
