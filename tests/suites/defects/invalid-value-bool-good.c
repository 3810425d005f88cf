// Repaired twin of: a bool that was filled from a byte holds the value 2.
// check:     undefined
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdbool.h>
#include <string.h>

int main(void) {
  unsigned char byte = 1;
  bool flag;
  memcpy(&flag, &byte, 1);
  return flag ? 0 : 1;
}
