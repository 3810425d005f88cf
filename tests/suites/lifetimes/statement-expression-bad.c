// The value of a statement expression points to its array.
// check:   memory-safety
// expect:  unsafe use-after-scope @ line 11
// engines: run bmc

int main(void) {
  int *p = ({
    int a[2] = {0, 1};
    a;
  });
  return p[0];
}
