// Repaired twin of: strlen of an array that strncpy left without a terminator.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <string.h>

int main(void) {
  char tag[4];
  strncpy(tag, "abc", sizeof tag);
  return strlen(tag) != 3;
}
