// Repaired twin of: writes a result through an optional pointer without a test.
// check:     memory-safety
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

static int halve(int value, int *remainder) {
  if (remainder != 0)
    *remainder = value % 2;
  return value / 2;
}

int main(void) { return halve(8, 0) != 4; }
