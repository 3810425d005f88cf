// Repaired twin of: SMACK's and ESBMC's names.
// check:   assertions
// expect:  safe
// engines: run bmc absint
// inputs:  4

extern int __SMACK_nondet_int(void);
extern void __SMACK_assume(int), __SMACK_assert(int);
extern void __ESBMC_assume(_Bool), __ESBMC_assert(_Bool, const char *);

int main(void) {
  int x = __SMACK_nondet_int();
  __SMACK_assume(x > 3);
  __SMACK_assert(x >= 4);
  __ESBMC_assume(x < 5);
  __ESBMC_assert(x == 4, "there is one value left");
  return 0;
}
