// Repaired twin of: shifts by the difference of two positions in the wrong order.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

int main(void) {
  int from = 5, to = 3;
  return (256 >> (from - to)) == 7;
}
