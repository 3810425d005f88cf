// Writes into a string literal.
// check:     memory-safety
// expect:    unsafe constant-write @ line 9
// engines:   run bmc
// sanitizer: address

int main(void) {
  char *text = "constant";
  text[0] = 'C';
  return 0;
}
