// Repaired twin of: does not ask whether the search found anything.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <string.h>

int main(void) {
  char line[] = "key value";
  char *equals = strchr(line, '=');
  if (equals == NULL)
    return 0;
  *equals = 0;
  return line[0] != 'k';
}
