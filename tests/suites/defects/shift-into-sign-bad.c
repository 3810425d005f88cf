// Shifts a signed one so far that bits are lost.
// check:     integer-overflow
// expect:    unsafe shift-overflow @ line 9
// engines:   run bmc
// sanitizer: undefined

int main(void) {
  int word = 3, position = 31;
  return (word << position) == 1;
}
