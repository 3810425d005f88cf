// A function keeps the address of a local of the loop body in a global.
// check:   memory-safety
// expect:  unsafe use-after-scope @ line 17
// engines: run bmc

static int *kept;

static void keep(int *p) {
  if (!kept)
    kept = p;
}

int main(void) {
  for (int i = 0; i < 3; i++) {
    int local = i;
    keep(&local);
    *kept = 5;
  }
  return 0;
}
