// Repaired twin of: SV-COMP: the program's own definition of __VERIFIER_assert is what counts.
// check:   assertions
// expect:  safe
// engines: run bmc absint

extern void reach_error(void);

void __VERIFIER_assert(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  __VERIFIER_assert(2 + 2 == 4);
  return 0;
}
