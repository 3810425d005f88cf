// A variable before the first case, of an earlier switch.
// check:   memory-safety
// expect:  unsafe use-after-scope @ line 16
// engines: run bmc

int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    switch (i) {
      int z[3];
    case 0:
      z[0] = 1;
      p = z;
      break;
    case 1:
      return p[0];
    }
  }
  return 0;
}
