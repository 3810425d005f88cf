// Two elements change places: what is added up with the indices stays.
// check:   assertions
// expect:  safe
// engines: acceleration
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
void __VERIFIER_assume(int condition);
static long long weighed(const int *x, int n) {
  long long result = 0;
  for (int i = 0; i < n; i++) result = result + i - x[i];
  return result;
}
int main(void) {
  int n = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 2);
  int x[n];
  for (int i = 0; i < n; i++) x[i] = __VERIFIER_nondet_int();
  long long before = weighed(x, n);
  int kept = x[0];
  x[0] = x[2];
  x[2] = kept;
  __VERIFIER_assert(weighed(x, n) == before);
  x[1] = ~x[1];
  x[1] = ~x[1];
  __VERIFIER_assert(weighed(x, n) == before);
  return 0;
}
