// Division by what may be zero.
// expect: unsafe division @ line 8

int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  return 100 / x;
}
