// A failure after a thousand iterations that constants decide.
// check:   assertions
// expect:  unsafe assertion @ line 12
// engines: kiki
unsigned __VERIFIER_nondet_uint(void);
void __VERIFIER_assert(int);
int main(void) {
  unsigned last = 0;
  for (unsigned i = 0; i < 1000; i++)
    last = i * 7;
  if (__VERIFIER_nondet_uint() == 42)
    __VERIFIER_assert(last != 6993);
  return 0;
}
