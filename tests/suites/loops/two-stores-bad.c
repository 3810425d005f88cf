// Each iteration overwrites what the one before wrote behind its own element.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
void __VERIFIER_assert(int condition);
int main(void) {
  int x[6];
  for (int i = 0; i < 5; i++) {
    x[i] = 1;
    x[i + 1] = 2;
  }
  __VERIFIER_assert(x[3] == 2);
  return 0;
}
