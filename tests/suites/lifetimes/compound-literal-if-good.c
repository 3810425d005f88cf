// Repaired twin of: the statement of an if is a block, with braces or without.
// check:   memory-safety
// expect:  safe
// engines: run bmc

int main(void) {
  int *p = (int[]){0};
  int c = 1;
  if (c)
    p[0] = ((int[]){0})[0];
  return p[0];
}
