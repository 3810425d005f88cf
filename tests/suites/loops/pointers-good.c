// Pointers that walk along with the counter.
// check:   assertions memory-safety
// expect:  safe
// engines: acceleration
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int condition);
void __VERIFIER_assume(int condition);
static void copy(char *to, const char *from, unsigned n) {
  for (unsigned i = 0; i < n; i++) *to++ = *from++;
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  __VERIFIER_assume(n > 3 && n < 4096);
  char x[n], y[n];
  for (unsigned i = 0; i < n; i++) x[i] = (char)__VERIFIER_nondet_uint();
  copy(y, x, n);
  __VERIFIER_assert(y[3] == x[3] && y[n - 1] == x[n - 1]);
  return 0;
}
