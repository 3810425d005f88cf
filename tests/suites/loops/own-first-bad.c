// The first element has changed when the others are computed from it.
// check:   assertions
// expect:  unsafe assertion @ line 12
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
int main(void) {
  int x[4] = {0}, first = __VERIFIER_nondet_int() & 15;
  x[0] = first;
  for (int i = 0; i < 4; i++) x[i] = x[0] + 1;
  __VERIFIER_assert(x[2] == first + 1);
  return 0;
}
