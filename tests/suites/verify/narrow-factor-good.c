// The last element of an array whose elements have one or two bytes lies within it. Products with
// the size of an element are looked at size by size.
// check:   assertions integer-overflow
// expect:  safe
// engines: bmc
extern unsigned long __VERIFIER_nondet_ulong(void);
void __VERIFIER_assert(int condition);
void __VERIFIER_assume(int condition);

int main(void) {
  unsigned long length = __VERIFIER_nondet_ulong(), size = __VERIFIER_nondet_ulong();
  unsigned long bytes = __VERIFIER_nondet_ulong(), at = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(size <= 2);
  __VERIFIER_assume(size != 0);
  __VERIFIER_assume(bytes < 1UL << 63);
  __VERIFIER_assume(length < 1UL << 62);
  __VERIFIER_assume(length * size <= bytes);
  __VERIFIER_assume(at < length);
  __VERIFIER_assert((length - 1) * size <= bytes - size);
  __VERIFIER_assert(at * size <= bytes - size);
  __VERIFIER_assert((length - at - 1) * size < bytes);
  return 0;
}
