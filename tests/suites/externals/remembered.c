// A pointer that was given once is known for good.
// check:     assertions
// expect:    unsafe assertion @ line 15
// engines:   run bmc
// inputs:    false true false 1

#include <assert.h>
static int buffer;
void keep(int *place);
void later(void);
int main(void) {
  keep(&buffer);
  buffer = 2;
  later();
  assert(buffer == 2);
  return 0;
}
