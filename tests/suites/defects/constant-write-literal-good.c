// Repaired twin of: writes into a string literal.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

int main(void) {
  char text[] = "constant";
  text[0] = 'C';
  return 0;
}
