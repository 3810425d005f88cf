// A shift by at least the width.
// expect: unsafe shift @ line 8

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  return (int)(1u << x) == 7;
}
