// Repaired twin of: a compound literal ends with its block.
// check:   memory-safety
// expect:  safe
// engines: run bmc

int main(void) {
  int *p;
  p = (int[]){0, 0};
  {
    p[1] = p[0];
  }
  return p[1];
}
