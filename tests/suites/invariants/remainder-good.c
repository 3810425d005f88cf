// However often it wraps around, a sum of multiples of four is a multiple of four.
// check:   assertions
// expect:  safe
// engines: absint
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int condition);
int main(void) {
  unsigned sum = 8;
  while (__VERIFIER_nondet_uint()) {
    sum = sum + 12u * __VERIFIER_nondet_uint();
    __VERIFIER_assert(sum != 30u);
  }
  return 0;
}
