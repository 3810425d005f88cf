// A variable of the environment need not be set.
// check:     memory-safety
// expect:    unsafe null-dereference @ line 9
// engines:   run bmc
// sanitizer: none: it depends on the environment
#include <stdlib.h>

int main(void) {
  return getenv("FOGHORN_NOT_SET")[0] == 'x';
}
