// Numbers that are places in their own array, one of which becomes less than there is.
// check:   integer-overflow
// expect:  unsafe signed-overflow @ line 11
// engines: bmc
extern short __VERIFIER_nondet_short(void);
int main(void) {
  short by = __VERIFIER_nondet_short() & 1 ? 6 : 0;
  int a[5] = {5, -2147483647, 0, -2147483647 - 1};
  a[(unsigned)a[0] % 5u] += by;
  a[(unsigned)(unsigned char)by % 5u]--;
  a[(unsigned)a[(unsigned)by % 5u] % 5u]--;
  return 0;
}
