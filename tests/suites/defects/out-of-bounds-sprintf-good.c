// Repaired twin of: sprintf of a number that has more digits than the buffer.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdio.h>

int main(void) {
  char digits[12];
  sprintf(digits, "%d", 123456);
  return digits[0] != '1';
}
