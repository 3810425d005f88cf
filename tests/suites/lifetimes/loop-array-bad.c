// Writes through a pointer to the array of an earlier iteration.
// check:   memory-safety
// expect:  unsafe use-after-scope @ line 13
// engines: run bmc

int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    int a[10];
    if (i == 0)
      p = a;
    else
      p[0] = 1;
  }
  return 0;
}
