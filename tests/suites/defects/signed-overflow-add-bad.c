// Takes the middle of two large ints by their sum.
// check:     integer-overflow
// expect:    unsafe signed-overflow @ line 9
// engines:   run bmc
// sanitizer: undefined

int main(void) {
  int low = 2000000000, high = 2100000000;
  int middle = (low + high) / 2;
  return middle < low;
}
