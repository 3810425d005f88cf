// A search that is left early, or not: what it says is where it stopped.
// check:   assertions memory-safety
// expect:  safe
// engines: acceleration
int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int condition);
void __VERIFIER_assume(int condition);
int main(void) {
  int n = __VERIFIER_nondet_int(), wanted = __VERIFIER_nondet_int();
  __VERIFIER_assume(n > 0 && n < 1000000);
  int x[n], at = -1;
  for (int i = 0; i < n; i++) x[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    if (x[i] == wanted) {
      at = i;
      break;
    }
  }
  if (at >= 0) __VERIFIER_assert(at < n && x[at] == wanted);
  return 0;
}
