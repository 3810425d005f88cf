// Appends to a buffer that has room for the first part only.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 11
// engines:   run bmc
// sanitizer: address

#include <string.h>

int main(void) {
  char path[8] = "/tmp";
  strcat(path, "/file");
  return path[0] != '/';
}
