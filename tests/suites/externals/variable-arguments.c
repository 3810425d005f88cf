// A pointer among variable arguments.
// check:     assertions
// expect:    unsafe assertion @ line 13
// engines:   run bmc
// inputs:    true false 0 0

#include <assert.h>
int scan(const char *format, ...);
int main(void) {
  int x = 1, y = 2;
  scan("%d", &x);
  assert(y == 2);
  assert(x == 1);
  return 0;
}
