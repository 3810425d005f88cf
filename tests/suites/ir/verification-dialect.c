// Inputs, assumptions, assertions and the error function.
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int);
void __VERIFIER_assert(int);
void reach_error(void);

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned char c = __VERIFIER_nondet_uchar();
  __VERIFIER_assume(x > 0 && x < 100);
  __VERIFIER_assert(x + c > 0);
  if (x == 1000)
    reach_error();
  return 0;
}
