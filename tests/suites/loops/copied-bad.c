// Copied upwards, the first element ends up everywhere.
// check:   assertions
// expect:  unsafe assertion @ line 14
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
int main(void) {
  int x[5], y[5];
  for (int i = 0; i < 5; i++) x[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 5; i++) y[i] = x[i];
  for (int i = 0; i < 4; i++) x[i + 1] = x[i];
  for (int i = 0; i < 4; i++)
    __VERIFIER_assert(x[i + 1] == y[i]);
  return 0;
}
