// All elements from the first one on fill the whole array when it has no slack.
// Products are looked at size by size, but the run that is shown is one of the program.
// check:   assertions integer-overflow
// expect:  unsafe assertion @ line 21
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
  __VERIFIER_assert((length - at) * size < bytes);
  return 0;
}
