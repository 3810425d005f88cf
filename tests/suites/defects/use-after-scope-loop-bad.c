// Remembers a pointer to the loop body's variable of the last iteration.
// check:     memory-safety
// expect:    unsafe use-after-scope @ line 14
// engines:   run bmc
// sanitizer: address

int main(void) {
  int *largest = 0;
  for (int i = 0; i < 3; i++) {
    int square = i * i;
    if (largest == 0 || square > 1)
      largest = &square;
  }
  return *largest != 4;
}
