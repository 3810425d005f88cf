// Shifts by the difference of two positions in the wrong order.
// check:     undefined
// expect:    unsafe shift @ line 9
// engines:   run bmc
// sanitizer: undefined

int main(void) {
  int from = 5, to = 3;
  return (256 >> (to - from)) == 7;
}
