// Keeps the address of a variable of an inner block.
// check:     memory-safety
// expect:    unsafe use-after-scope @ line 13
// engines:   run bmc
// sanitizer: address

int main(void) {
  int *p;
  {
    int inner = 3;
    p = &inner;
  }
  return *p != 3;
}
