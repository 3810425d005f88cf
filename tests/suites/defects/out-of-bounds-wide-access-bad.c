// Reads an int at the last byte of a buffer of characters.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 11
// engines:   run bmc
// sanitizer: address

#include <string.h>

static int read_int(const char *from) {
  int value;
  memcpy(&value, from, sizeof value);
  return value;
}

int main(void) {
  char bytes[8] = {0};
  return read_int(bytes + 5);
}
