// One element is not what the others are.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: kiki
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int main(void) {
  unsigned a[6];
  for (int i = 0; i < 6; i++)
    a[i] = i == 4 ? 11 : __VERIFIER_nondet_uint() % 8 + 3;
  unsigned k = __VERIFIER_nondet_uint();
  if (k < 6)
    __VERIFIER_assert(a[k] >= 3 && a[k] <= 10);
  return 0;
}
