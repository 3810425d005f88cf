// A small interpreter with labels as values.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 42

#include <stdio.h>

static int run(const unsigned char *program) {
  static const void *const labels[] = {&&push, &&add, &&multiply, &&stop};
  int stack[8], top = 0;
  goto *labels[*program++];
push:
  stack[top++] = *program++;
  goto *labels[*program++];
add:
  top--;
  stack[top - 1] += stack[top];
  goto *labels[*program++];
multiply:
  top--;
  stack[top - 1] *= stack[top];
  goto *labels[*program++];
stop:
  return stack[0];
}

int main(void) {
  static const unsigned char program[] = {0, 3, 0, 4, 1, 0, 6, 2, 3};
  printf("%d\n", run(program));
  return 0;
}
