// It cannot name a static variable whose address nobody gave it, nor change a constant.
// check:     assertions
// expect:    safe
// engines:   run bmc

#include <assert.h>
static int state;
const int limit = 4;
void callback(void);
int main(void) {
  state = 1;
  callback();
  assert(state == 1 && limit == 4);
  return 0;
}
