// Repaired twin of: remembers a pointer to the loop body's variable of the last iteration.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

int main(void) {
  int *largest = 0;
  int squares[3];
  for (int i = 0; i < 3; i++) {
    squares[i] = i * i;
    if (largest == 0 || squares[i] > 1)
      largest = &squares[i];
  }
  return *largest != 4;
}
