// The default of a switch is declared unreachable and reached.
// check:     undefined
// expect:    unsafe unreachable @ line 11
// engines:   run bmc
// sanitizer: undefined

static int sides(int shape) {
  switch (shape) {
  case 0: return 3;
  case 1: return 4;
  default: __builtin_unreachable();
  }
}

int main(void) { return sides(2) == 0; }
