// Reads an int at an odd address inside a byte buffer.
// check:     undefined
// expect:    unsafe misaligned @ line 10
// engines:   run bmc
// sanitizer: alignment

int main(void) {
  _Alignas(8) char bytes[16] = {0};
  char *field = bytes + 1;
  return *(int *)field;
}
