// The array is shifted, but its first element is lost.
// check:   assertions
// expect:  unsafe assertion @ line 21
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
void __VERIFIER_assume(int condition);
static int sum(const int *x, int n) {
  int result = x[0];
  for (int i = 1; i < n; i++) result += x[i];
  return result;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 1 && n < 4);
  int x[n];
  for (int i = 0; i < n; i++) x[i] = __VERIFIER_nondet_int();
  int before = sum(x, n);
  for (int i = 0; i < n - 1; i++) x[i] = x[i + 1];
  __VERIFIER_assert(sum(x, n) == before);
  return 0;
}
