// Two variables are not the same.
// check:     assertions
// expect:    unsafe assertion @ line 9
// engines:   bmc
#include <assert.h>
#include <stdlib.h>

int main(void) {
  assert((getenv("A") == NULL) == (getenv("B") == NULL));
  return 0;
}
