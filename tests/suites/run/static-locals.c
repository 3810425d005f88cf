// Static locals keep their values, per function, and are initialised once.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 11 12
// stdout: 0 5 7
// stdout: 4 4

#include <stdio.h>

static int next(void) {
  static int counter = 10;
  return counter++;
}

static int *buffer(int i) {
  static int cells[4] = {[2] = 7};
  return &cells[i];
}

static int depth(int n) {
  static int deepest;
  if (n > deepest)
    deepest = n;
  return n == 0 ? deepest : depth(n - 1);
}

int main(void) {
  next();
  int first = next(), second = next();
  printf("%d %d\n", first, second);
  *buffer(1) = 5;
  printf("%d %d %d\n", *buffer(0), *buffer(1), *buffer(2));
  int deep = depth(4), shallow = depth(2);
  printf("%d %d\n", deep, shallow);
  return 0;
}
