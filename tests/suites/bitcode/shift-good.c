// A shift by less than the width.
// expect: safe

unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  return (int)(1u << (x & 31)) == 7;
}
