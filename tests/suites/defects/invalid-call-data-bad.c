// Calls an array of bytes as if it were code.
// check:     memory-safety
// expect:    unsafe invalid-call @ line 13
// engines:   run bmc
// sanitizer: none: the wild jump leaves no frame with a line

static unsigned char code[4] = {0xc3, 0xc3, 0xc3, 0xc3};

static void nothing(void) {}

int main(void) {
  void (*run)(void) = (void (*)(void))(void *)code;
  run();
  return code[0] == 0;
}
