// Repaired twin of: an array of variable length of the iteration before; memory of alloca lives on.
// check:   memory-safety
// expect:  safe
// engines: run bmc

int main(void) {
  int *p = 0;
  for (int i = 1; i < 3; i++) {
    int *a = __builtin_alloca(4);
    a[0] = 0;
    if (p)
      return p[0];
    p = a;
  }
  return 0;
}
