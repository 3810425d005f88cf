// strcpy into room for strlen bytes: the terminator does not fit.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 15
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>
#include <string.h>

int main(void) {
  const char *name = "lighthouse";
  char *copy = malloc(strlen(name));
  if (copy == NULL)
    return 1;
  strcpy(copy, name);
  free(copy);
  return 0;
}
