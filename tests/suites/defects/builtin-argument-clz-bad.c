// Counts the leading zeros of zero.
// check:     undefined
// expect:    unsafe builtin-argument @ line 8
// engines:   run bmc
// sanitizer: undefined

static int log2_of(unsigned value) {
  return 31 - __builtin_clz(value);
}

int main(void) { return log2_of(0) == 5; }
