// A write to an object after its delete.
// check:   memory-safety
// expect:  unsafe use-after-free @ line 10
// engines: run bmc

int main() {
  int *p = new int;
  *p = 1;
  delete p;
  *p = 2;
  return 0;
}
