// One element is overwritten by its neighbour.
// check:   assertions
// expect:  unsafe assertion @ line 20
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
void __VERIFIER_assume(int condition);
static int all(const int *x, int n) {
  int result = 0;
  for (int i = 0; i < n; i++) result |= x[i];
  return result;
}
int main(void) {
  int n = __VERIFIER_nondet_int(), x[4];
  __VERIFIER_assume(n > 1 && n <= 4);
  for (int i = 0; i < n; i++) x[i] = __VERIFIER_nondet_int();
  int before = all(x, n);
  x[0] = x[1];
  __VERIFIER_assert(all(x, n) == before);
  return 0;
}
