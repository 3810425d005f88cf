// Elements by a formula of their index, read backwards and beyond the loop.
// check:   assertions memory-safety
// expect:  safe
// engines: acceleration
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
void __VERIFIER_assume(int condition);
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0 && n < 10000);
  int x[n], last = 7;
  for (int i = 0; i < n; i++) {
    x[i] = 3 * i + 1;
    last = x[i] + i;
  }
  for (int i = 0; i < n; i++) __VERIFIER_assert(x[n - 1 - i] == 3 * (n - i) - 2);
  __VERIFIER_assert(last == 4 * n - 3);
  return 0;
}
