// One element more is read than was written.
// check:   memory-safety
// expect:  unsafe out-of-bounds @ line 14
// engines: bmc acceleration
// acceleration: unknown FIXME: summarised loops do not refute
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int condition);
int main(void) {
  int n = __VERIFIER_nondet_int(), sum = 0;
  __VERIFIER_assume(n > 0 && n < 5);
  int x[n];
  for (int i = 0; i < n; i++) x[i] = i;
  for (int i = 0; i <= n; i++)
    sum += x[i];
  return sum == 3;
}
