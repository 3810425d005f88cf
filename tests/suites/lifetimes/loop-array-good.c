// Repaired twin of: writes through a pointer to the array of an earlier iteration.
// check:   memory-safety
// expect:  safe
// engines: run bmc

int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    int a[10];
    p = a;
    p[i] = 1;
  }
  return 0;
}
