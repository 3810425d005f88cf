// What is added up, combined or compared bit by bit over an array does not depend on the order, for any length.
// check:   assertions
// expect:  safe
// engines: acceleration
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
void __VERIFIER_assume(int condition);
static int sum(const int *x, int n) {
  int result = x[0];
  for (int i = 1; i < n; i++) result += x[i];
  return result;
}
static int common(const int *x, int n) {
  int result = -1;
  for (int i = 0; i < n; i++) result &= x[i];
  return result;
}
static long parity(const int *x, int n) {
  long result = 5;
  for (int i = 0; i < n; i++) result = result ^ x[i];
  return result;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 1);
  int x[n];
  for (int i = 0; i < n; i++) x[i] = __VERIFIER_nondet_int();
  int before = sum(x, n), bits = common(x, n);
  long odd = parity(x, n);
  int first = x[0];
  for (int i = 0; i < n - 1; i++) x[i] = x[i + 1];
  x[n - 1] = first;
  __VERIFIER_assert(sum(x, n) == before);
  __VERIFIER_assert(common(x, n) == bits);
  __VERIFIER_assert(parity(x, n) == odd);
  return 0;
}
