// A check in a function that its callers keep, and a function that calls itself any number of times.
// check:   assertions
// expect:  safe
// engines: kiki
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int);
int partial(int x) {
  __VERIFIER_assert(x < 100);
  return x & 7;
}
int deep(int n) {
  if (n <= 0)
    return 0;
  int r = deep(n - 1);
  if (r >= 2)
    return 2;
  return r + 1;
}
int main(void) {
  int x = partial(__VERIFIER_nondet_int() & 63);
  __VERIFIER_assert(x <= 7);
  __VERIFIER_assert(deep(__VERIFIER_nondet_int()) <= 2);
  return 0;
}
