// What a loop wrote into an array is known wherever it is read.
// check:   assertions memory-safety
// expect:  safe
// engines: kiki
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int main(void) {
  unsigned a[5000];
  for (int i = 0; i < 5000; i++)
    a[i] = __VERIFIER_nondet_uint() % 8 + 3;
  unsigned k = __VERIFIER_nondet_uint();
  if (k < 5000)
    __VERIFIER_assert(a[k] >= 3 && a[k] <= 10);
  return 0;
}
