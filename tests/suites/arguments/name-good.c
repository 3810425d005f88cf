// The name of the program is there, whatever it is.
// check:   assertions memory-safety
// expect:  safe
// engines: run bmc
#include <assert.h>

int main(int argc, char **argv) {
  assert(argv[0] != 0);
  return argv[0][0] == '/';
}
