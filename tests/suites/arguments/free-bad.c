// Frees an argument, which nobody allocated.
// check:     memory-safety
// expect:    unsafe invalid-free @ line 11
// engines:   run bmc
// args:      abc
// sanitizer: address
#include <stdlib.h>

int main(int argc, char **argv) {
  if (argc > 1)
    free(argv[1]);
  return 0;
}
