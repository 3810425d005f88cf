// Repaired twin of: a compound literal in the body of an endless loop that continues.
// check:   memory-safety
// expect:  safe
// engines: run bmc
// inputs:  1 0 0 0

extern int __VERIFIER_nondet_int(void);

int *kept;

int main(void) {
  int n = 0;
  while (1) {
    kept = (int[]){1};
    if (*kept != 1)
      return 1;
    if (__VERIFIER_nondet_int() && n < 1) {
      n++;
      continue;
    }
    if (++n > 2)
      break;
  }
  return 0;
}
