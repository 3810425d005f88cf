// Frees the default value of a configuration string.
// check:     memory-safety
// expect:    unsafe invalid-free @ line 13
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

static char default_name[] = "default";
static char *name = default_name;

int main(void) {
  free(name);
  return 0;
}
