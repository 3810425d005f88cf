// Repaired twin of: counts the leading zeros of zero.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

static int log2_of(unsigned value) {
  if (value == 0)
    return 0;
  return 31 - __builtin_clz(value);
}

int main(void) { return log2_of(0) == 5; }
