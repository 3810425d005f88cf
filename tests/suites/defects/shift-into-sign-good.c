// Repaired twin of: shifts a signed one so far that bits are lost.
// check:     undefined integer-overflow
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

int main(void) {
  unsigned word = 3, position = 31;
  return (word << position) == 1;
}
