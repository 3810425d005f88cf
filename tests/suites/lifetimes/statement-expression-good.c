// Repaired twin of: the value of a statement expression points to its array.
// check:   memory-safety
// expect:  safe
// engines: run bmc

int main(void) {
  int p = ({
    int a[2] = {0, 1};
    a[0];
  });
  return p;
}
