// Repaired twin of: appends to a buffer that has room for the first part only.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <string.h>

int main(void) {
  char path[16] = "/tmp";
  strcat(path, "/file");
  return path[0] != '/';
}
