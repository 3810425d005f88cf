// sprintf of a number that has more digits than the buffer.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 11
// engines:   run bmc
// sanitizer: address

#include <stdio.h>

int main(void) {
  char digits[4];
  sprintf(digits, "%d", 123456);
  return digits[0] != '1';
}
