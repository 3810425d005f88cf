// Each element is copied to its place before anything overwrites it.
// check:   assertions memory-safety
// expect:  safe
// engines: acceleration
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int condition);
void __VERIFIER_assume(int condition);
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n > 0 && n < 1000000);
  short from[n + 2], to[n];
  for (unsigned i = 0; i < n + 2; i++) from[i] = (short)__VERIFIER_nondet_uint();
  for (unsigned i = 0; i < n; i++) to[i] = from[i + 2];
  for (unsigned i = 0; i < n; i++) from[i] = from[i + 2];
  for (unsigned i = 0; i < n; i++) __VERIFIER_assert(from[i] == to[i]);
  return 0;
}
