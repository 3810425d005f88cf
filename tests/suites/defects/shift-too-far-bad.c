// Builds a mask of 32 bits with a shift by 32.
// check:     undefined
// expect:    unsafe shift @ line 8
// engines:   run bmc
// sanitizer: undefined

static unsigned mask(int bits) {
  return (1u << bits) - 1;
}

int main(void) { return mask(32) == 5; }
