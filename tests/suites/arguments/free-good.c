// Arguments belong to the program, which may write to them and to their vector, and nothing of them
// is left over that should have been freed.
// check:   memory-safety memory-leak memory-cleanup assertions
// expect:  safe
// engines: run bmc
// args:    abc
#include <assert.h>

int main(int argc, char **argv) {
  if (argc > 1 && argv[1][0] != 0) {
    argv[1][0] = 'x';
    assert(argv[1][0] == 'x');
    argv[0] = argv[1];
    assert(argv[0][0] == 'x');
  }
  return 0;
}
