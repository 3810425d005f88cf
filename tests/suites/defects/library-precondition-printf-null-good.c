// Repaired twin of: prints a null string with %s.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdio.h>

int main(void) {
  const char *name = NULL;
  name = "nobody";
  printf("%s\n", name);
  return 0;
}
