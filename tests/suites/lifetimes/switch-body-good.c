// Repaired twin of: a variable before the first case, of an earlier switch.
// check:   memory-safety
// expect:  safe
// engines: run bmc

int main(void) {
  int *p = 0;
  for (int i = 0; i < 2; i++) {
    switch (i) {
      int z[3];
    case 0:
      z[0] = 0;
      p = z;
      p[1] = 0;
    case 1:
      z[0] = 0;
      p = z;
      if (p[0])
        return 1;
    }
  }
  return 0;
}
