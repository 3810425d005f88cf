// Takes the length of a string that is null.
// check:     memory-safety
// expect:    unsafe null-dereference @ line 10
// engines:   run bmc
// sanitizer: address

#include <string.h>

static size_t length(const char *text) {
  return strlen(text);
}

int main(void) {
  const char *name = 0;
  return length(name) != 0;
}
