// Repaired twin of: compares the addresses of two different arrays with <.
// check:     undefined
// expect:    safe
// engines:   run bmc
// sanitizer: none

int main(void) {
  int a[4] = {0}, b[4] = {0};
  int *first = a, *second = a + b[0];
  return first < second ? a[0] : b[0];
}
