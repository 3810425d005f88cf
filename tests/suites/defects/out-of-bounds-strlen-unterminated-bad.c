// strlen of an array that strncpy left without a terminator.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 12
// engines:   run bmc
// sanitizer: address

#include <string.h>

int main(void) {
  char tag[4];
  strncpy(tag, "abcd", sizeof tag);
  return strlen(tag) != 3;
}
