// An integer that is not the smallest divided by -1.
// expect: safe

int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (y == 0 || x < -1000 || x > 1000) return 0;
  return x % y;
}
