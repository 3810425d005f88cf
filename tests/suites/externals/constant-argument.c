// A pointer to what is not constant is given beside one to what is.
// check:     assertions
// expect:    unsafe assertion @ line 13
// engines:   run bmc
// inputs:    true false 0

#include <assert.h>
void convert(const char *from, char *to);
int main(void) {
  char from[2] = "a", to[2] = "b";
  convert(from, to);
  assert(from[0] == 'a');
  assert(to[0] == 'b');
  return 0;
}
