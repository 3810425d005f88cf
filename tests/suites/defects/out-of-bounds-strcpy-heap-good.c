// Repaired twin of: strcpy into room for strlen bytes: the terminator does not fit.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *name = "lighthouse";
  char *copy = malloc(strlen(name) + 1);
  if (copy == NULL)
    return 1;
  strcpy(copy, name);
  free(copy);
  return 0;
}
