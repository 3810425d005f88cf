// A compound literal in the body of a loop ends with the iteration, without braces too.
// check:     memory-safety
// expect:    unsafe use-after-scope @ line 11
// engines:   run bmc

int main(void) {
  int *p = 0, i = 0;
  do
    p = (int[]){1, 2};
  while (i++ < 1);
  return p[1];
}
