// Repaired twin of: converts a double to int that is far too large for it.
// check:     undefined
// expect:    safe
// engines:   run bmc
// sanitizer: none

int main(void) {
  double distance = 1e12;
  long long rounded = (long long)distance;
  return rounded == 0;
}
