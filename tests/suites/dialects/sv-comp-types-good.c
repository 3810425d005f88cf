// Repaired twin of: SV-COMP: the declared type decides what a nondet function returns.
// check:   assertions
// expect:  safe
// engines: run bmc absint
// inputs:  200 7 1

extern unsigned char __VERIFIER_nondet_uchar(void);
extern short __VERIFIER_nondet_short(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assert(int);

int main(void) {
  unsigned char c = __VERIFIER_nondet_uchar();
  short s = __VERIFIER_nondet_short();
  _Bool b = __VERIFIER_nondet_bool();
  __VERIFIER_assert(c <= 255 && s >= -32768 && s <= 32767 && b <= 1);
  __VERIFIER_assert(c >= 0);
  return 0;
}
