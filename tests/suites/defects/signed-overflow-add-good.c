// Repaired twin of: takes the middle of two large ints by their sum.
// check:     integer-overflow
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

int main(void) {
  int low = 2000000000, high = 2100000000;
  int middle = low + (high - low) / 2;
  return middle < low;
}
