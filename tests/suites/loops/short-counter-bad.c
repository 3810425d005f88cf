// The counter is too short for the limit and starts again, and again.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
void __VERIFIER_assert(int condition);
int main(void) {
  int limit = 300, rounds = 0;
  unsigned char largest = 0;
  for (unsigned char i = 250; i < limit; i++) {
    if (i > largest) largest = i;
    rounds++;
    __VERIFIER_assert(rounds < 8 || i > 7);
  }
  return 0;
}
