// Repaired twin of: dereferences an address made from an integer.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

int main(void) {
  int value = 0;
  unsigned long address = (unsigned long)&value;
  int *p = (int *)address;
  return *p;
}
