// A counter that need not move in each iteration stays within a bound that is an input: no number of iterations before
// says so, a row that relates the two does.
// check:   assertions
// expect:  safe
// engines: kiki
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  unsigned i = 0;
  while (i < n) {
    if (__VERIFIER_nondet_uint())
      i++;
  }
  __VERIFIER_assert(i == n);
  return 0;
}
