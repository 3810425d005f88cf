// Repaired twin of: builds a mask of 32 bits with a shift by 32.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

static unsigned mask(int bits) {
  if (bits == 32)
    return ~0u;
  return (1u << bits) - 1;
}

int main(void) { return mask(32) == 5; }
