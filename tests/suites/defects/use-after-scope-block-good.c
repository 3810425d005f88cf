// Repaired twin of: keeps the address of a variable of an inner block.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

int main(void) {
  int *p;
  int outer;
  {
    int inner = 3;
    outer = inner;
    p = &outer;
  }
  return *p != 3;
}
