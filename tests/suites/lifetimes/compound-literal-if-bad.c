// The statement of an if is a block, with braces or without.
// check:   memory-safety
// expect:  unsafe use-after-scope @ line 11
// engines: run bmc

int main(void) {
  int *p = 0;
  int c = 1;
  if (c)
    p = (int[]){5};
  return p[0];
}
