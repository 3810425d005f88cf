// Repaired twin of: frees the default value of a configuration string.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

static char default_name[] = "default";
static char *name = default_name;

int main(void) {
  if (name != default_name)
    free(name);
  return 0;
}
