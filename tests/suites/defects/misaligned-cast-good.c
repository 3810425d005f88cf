// Repaired twin of: reads an int at an odd address inside a byte buffer.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

int main(void) {
  _Alignas(8) char bytes[16] = {0};
  char *field = bytes + 4;
  return *(int *)field;
}
