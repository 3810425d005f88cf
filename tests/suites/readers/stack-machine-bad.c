// Runs a program of single bytes that is read at once; an operator may find an empty stack.
// check:   assertions memory-safety integer-overflow undefined
// expect:  unsafe array-bounds @ line 23
// engines: verify
#include <stdio.h>
#include <unistd.h>

enum { DEPTH = 4 };

static int stack[DEPTH];
static int depth;

static int step(char operation) {
  if (operation >= '0' && operation <= '9') {
    if (depth == DEPTH)
      return 0;
    stack[depth++] = operation - '0';
    return 1;
  }
  if (depth < 1)
    return 0;
  int right = stack[--depth];
  int left = stack[--depth];
  switch (operation) {
  case '+': stack[depth++] = (left + right) % 100; return 1;
  case '-': stack[depth++] = (left - right) % 100; return 1;
  default: return 0;
  }
}

int main(void) {
  char program[12];
  ssize_t count = read(0, program, sizeof program);
  for (ssize_t i = 0; i < count; i++)
    if (!step(program[i]))
      return 1;
  if (depth == 1)
    printf("%d\n", stack[0]);
  return 0;
}
