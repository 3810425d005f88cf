// Repaired twin of: numbers that are places in their own array; after each write a read has one more place to come from.
// check:   integer-overflow
// expect:  safe
// engines: bmc horn
// horn:    unknown FIXME: a path does not split often enough to say where a number was written
extern short __VERIFIER_nondet_short(void);
int main(void) {
  short by = __VERIFIER_nondet_short();
  int a[5] = {5};
  a[(unsigned)a[0] % 5u] += by;
  a[(unsigned)(unsigned char)by % 5u]--;
  a[1] += 5;
  a[(unsigned)a[(unsigned)by % 5u] % 5u]--;
  return 0;
}
