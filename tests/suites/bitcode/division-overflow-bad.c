// The smallest integer divided by -1.
// expect: unsafe division-overflow @ line 9

int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (y == 0) return 0;
  return x % y;
}
