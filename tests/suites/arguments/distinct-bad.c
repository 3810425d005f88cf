// Two arguments can be equal as strings.
// check:     assertions
// expect:    unsafe assertion @ line 11
// engines:   run bmc
// args:      x x
// sanitizer: abort
#include <assert.h>

int main(int argc, char **argv) {
  if (argc > 2)
    assert(argv[1][0] != argv[2][0]);
  return 0;
}
