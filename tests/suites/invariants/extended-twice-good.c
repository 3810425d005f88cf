// A narrow number is extended at each use: what one use says holds of the others.
// check:   assertions
// expect:  safe
// engines: run bmc absint
// inputs:  7
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
void __VERIFIER_assert(int condition);

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  unsigned char most = 10;
  __VERIFIER_assume(x > 5);
  __VERIFIER_assume(x < most);
  __VERIFIER_assert(x >= 3);
  __VERIFIER_assert(x <= 9);
  return 0;
}
