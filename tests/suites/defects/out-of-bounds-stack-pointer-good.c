// Repaired twin of: writes one element past a stack array through a moving pointer.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

int main(void) {
  int squares[8];
  int *end = squares;
  for (int i = 0; i < 8; i++)
    *end++ = i * i;
  return squares[2] != 4;
}
