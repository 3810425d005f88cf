// Behind a label clang marks no scopes: the array of the last iteration of the outer loop.
// check:   memory-safety
// expect:  unsafe use-after-scope @ line 16
// engines: run bmc

int main(void) {
  int *p = 0;
  for (int k = 0; k < 2; k++) {
    int i = 0;
  again:;
    int a[4];
    a[0] = i;
    if (i == 0 && k == 0)
      p = a;
    else
      p[0] = 7;
    i++;
    if (i < 2)
      goto again;
  }
  return 0;
}
