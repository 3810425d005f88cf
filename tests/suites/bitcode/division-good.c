// Division by what is not zero.
// expect: safe

int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  return x > 0 ? 100 / x : 0;
}
