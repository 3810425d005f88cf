// A compound literal ends with its block.
// check:   memory-safety
// expect:  unsafe use-after-scope @ line 11
// engines: run bmc

int main(void) {
  int *p;
  {
    p = (int[]){1, 2};
  }
  return p[1];
}
