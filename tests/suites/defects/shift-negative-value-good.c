// Repaired twin of: shifts a negative number to the left.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

int main(void) {
  int offset = -3;
  int scaled = offset * 16;
  return scaled == 0;
}
