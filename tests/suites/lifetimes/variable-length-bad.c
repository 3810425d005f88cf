// An array of variable length of the iteration before; memory of alloca lives on.
// check:   memory-safety
// expect:  unsafe use-after-scope @ line 12
// engines: run bmc

int main(void) {
  int *p = 0;
  for (int i = 1; i < 3; i++) {
    int a[i];
    a[0] = 0;
    if (p)
      return p[0];
    p = a;
  }
  return 0;
}
