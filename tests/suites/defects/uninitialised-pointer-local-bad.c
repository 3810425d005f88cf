// Dereferences a pointer that was never given a value.
// check:     memory-safety
// expect:    unsafe uninitialised-pointer @ line 11
// engines:   run bmc
// sanitizer: memory

int main(void) {
  int value = 0, *p;
  if (value != 0)
    p = &value;
  return *p;
}
