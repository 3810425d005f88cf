// An assert about a sum that the loop leaves out.
// check:     assertions
// expect:    unsafe assertion @ line 13
// engines:   run bmc
// sanitizer: abort

#include <assert.h>

int main(void) {
  int sum = 0;
  for (int i = 0; i < 10; i++)
    sum += i;
  assert(sum == 55);
  return 0;
}
