// Shifts a negative number to the left.
// check:     undefined
// expect:    unsafe shift @ line 9
// engines:   run bmc
// sanitizer: undefined

int main(void) {
  int offset = -3;
  int scaled = offset << 4;
  return scaled == 0;
}
