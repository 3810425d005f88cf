// The sum is computed only if the left side holds, and then it fits. An optimiser computes it
// before it knows.
// expect: safe

int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = __VERIFIER_nondet_int();
  if (y > 3 && y < 9 && x < 1000 && x > -1000 && x + y > 7) return 1;
  return 0;
}
