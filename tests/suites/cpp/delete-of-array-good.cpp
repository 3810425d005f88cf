// An array is deleted as one.
// check:   memory-safety memory-cleanup
// expect:  safe
// engines: run bmc

int main() {
  int *numbers = new int[4];
  numbers[3] = 1;
  delete[] numbers;
  return 0;
}
