// Repaired twin of: a function keeps the address of a local of the loop body in a global.
// check:   memory-safety
// expect:  safe
// engines: run bmc

static int *kept;

static void keep(int *p) {
  kept = p;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    int local = i;
    keep(&local);
    *kept = 5;
    if (local != 5)
      return 1;
  }
  return 0;
}
