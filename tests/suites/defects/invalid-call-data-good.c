// Repaired twin of: calls an array of bytes as if it were code.
// check:     memory-safety
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

static unsigned char code[4] = {0xc3, 0xc3, 0xc3, 0xc3};

static void nothing(void) {}

int main(void) {
  void (*run)(void) = nothing;
  run();
  return code[0] == 0;
}
