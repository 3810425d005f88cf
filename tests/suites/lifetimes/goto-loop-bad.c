// A loop made of goto leaves the block of its array.
// check:   memory-safety
// expect:  unsafe use-after-scope @ line 15
// engines: run bmc

int main(void) {
  int *p = 0;
  int i = 0;
again: {
  int a[4];
  a[0] = i;
  if (i == 0)
    p = a;
  else
    p[0] = 1;
  i++;
  if (i < 2)
    goto again;
}
  return 0;
}
