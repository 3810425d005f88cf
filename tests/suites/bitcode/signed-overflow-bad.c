// A sum that does not fit.
// expect: unsafe signed-overflow @ line 8

int __VERIFIER_nondet_int(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  return x + 1 > 5;
}
