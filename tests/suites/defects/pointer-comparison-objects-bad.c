// Compares the addresses of two different arrays with <.
// check:     undefined
// expect:    unsafe pointer-comparison @ line 10
// engines:   run bmc
// sanitizer: address

int main(void) {
  int a[4] = {0}, b[4] = {0};
  int *first = a, *second = b;
  return first < second ? a[0] : b[0];
}
