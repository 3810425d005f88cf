// Repaired twin of: takes the length of a string that is null.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <string.h>

static size_t length(const char *text) {
  return strlen(text);
}

int main(void) {
  const char *name = "";
  return length(name) != 0;
}
