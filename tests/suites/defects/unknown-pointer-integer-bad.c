// Dereferences an address made from an integer.
// check:     memory-safety
// expect:    unsafe unknown-pointer @ line 11
// engines:   run bmc
// sanitizer: address

int main(void) {
  int value = 0;
  unsigned long address = 4096;
  int *p = (int *)address;
  return *p;
}
