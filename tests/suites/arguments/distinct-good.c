// Two arguments are two objects: writing to one does not change the other.
// check:   assertions memory-safety
// expect:  safe
// engines: run bmc
// args:    x y
#include <assert.h>

int main(int argc, char **argv) {
  if (argc > 2 && argv[1][0] != 0) {
    char second = argv[2][0];
    argv[1][0] = 'z';
    assert(argv[2][0] == second);
  }
  return 0;
}
