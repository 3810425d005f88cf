// A sum of multiples of six wraps around to a number that is none.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int condition);
int main(void) {
  unsigned sum = 8;
  for (int i = 0; i < 2; i++) {
    sum = sum + 6u * __VERIFIER_nondet_uint();
    __VERIFIER_assert(sum != 40u);
  }
  return 0;
}
