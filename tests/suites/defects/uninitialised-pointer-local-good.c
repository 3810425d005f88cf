// Repaired twin of: dereferences a pointer that was never given a value.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

int main(void) {
  int value = 0, *p = &value;
  if (value != 0)
    p = &value;
  return *p;
}
