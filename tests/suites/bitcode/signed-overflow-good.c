// A sum that fits; the same of unsigned numbers may wrap.
// expect: safe

int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned y = (unsigned)x + 7u;
  if (x > 1000) return y == 3;
  return x + 1 > 5;
}
