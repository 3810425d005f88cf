// Writes a result through an optional pointer without a test.
// check:     memory-safety
// expect:    unsafe null-dereference @ line 8
// engines:   run bmc
// sanitizer: address

static int halve(int value, int *remainder) {
  *remainder = value % 2;
  return value / 2;
}

int main(void) { return halve(8, 0) != 4; }
