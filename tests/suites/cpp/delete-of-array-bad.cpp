// An array must be deleted as one.
// check:   memory-safety
// expect:  unsafe invalid-free @ line 8
// engines: run bmc

int main() {
  int *numbers = new int[4];
  delete numbers;
  return 0;
}
