// Repaired twin of: the default of a switch is declared unreachable and reached.
// check:     undefined
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

static int sides(int shape) {
  switch (shape) {
  case 0: return 3;
  case 1: return 4;
  case 2: return 5;
  default: __builtin_unreachable();
  }
}

int main(void) { return sides(2) == 0; }
