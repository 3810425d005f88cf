// A program that believes in at most one argument.
// check:     assertions
// expect:    unsafe assertion @ line 10
// engines:   run bmc
// args:      one two
// sanitizer: abort
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc < 3);
  return 0;
}
