// The name of the program may be empty: whoever starts it says what it is.
// check:     assertions
// expect:    unsafe assertion @ line 8
// engines:   bmc
#include <assert.h>

int main(int argc, char **argv) {
  assert(argv[0][0] != 0);
  return 0;
}
