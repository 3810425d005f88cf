// What the head of an inner loop reads was changed by earlier iterations of the loop around it.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
void __VERIFIER_assert(int condition);
int main(void) {
  int rounds[1] = {0}, allowed[2] = {0, 0};
  for (int i = 0; i < 20; i++) {
    for (int j = 0; allowed[rounds[0] - i] == 0 && j < 1; j++)
      rounds[0]++;
    if (i == 5)
      __VERIFIER_assert(0);
  }
  return 0;
}
