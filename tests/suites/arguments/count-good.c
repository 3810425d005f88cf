// There is always an argument: the name of the program.
// check:   assertions memory-safety integer-overflow
// expect:  safe
// engines: run bmc
// args:    one two
#include <assert.h>

int main(int argc, char **argv) {
  assert(argc >= 1);
  int further = argc - 1;
  assert(further >= 0);
  return 0;
}
