// The null behind the last argument may be looked at.
// check:   memory-safety assertions
// expect:  safe
// engines: run bmc
#include <assert.h>

int main(int argc, char **argv) {
  if (argc == 2)
    assert(argv[2] == 0);
  if (argc == 1)
    assert(argv[1] == 0);
  return 0;
}
