// Every element but the last becomes one more, in its place.
// check:   assertions memory-safety
// expect:  unsafe assertion @ line 11
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
void __VERIFIER_assert(int condition);
int main(void) {
  static int numbers[7];
  for (int i = 0; i < 7; i++) numbers[i] = 4;
  for (int i = 0; i < 6; i++) numbers[i] = numbers[i] + 1;
  for (int k = 0; k < 7; k++) __VERIFIER_assert(numbers[k] == 5);
  return 0;
}
