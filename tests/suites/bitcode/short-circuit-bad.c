// The sum is computed only if the left side holds, and then it may not fit.
// expect: unsafe signed-overflow @ line 9

int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (y > 3 && x + y > 7) return 1;
  return 0;
}
