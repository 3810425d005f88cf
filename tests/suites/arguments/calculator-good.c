// A calculator that does not divide by zero.
// check:     undefined
// expect:    safe
// engines:   run
// args:      6 / 0
// stdout: 0
#include <stdio.h>
#include <stdlib.h>

static long calculate(long left, char operation, long right) {
  switch (operation) {
  case '+':
    return left < 1000 && right < 1000 ? left + right : 0;
  case '-':
    return left > -1000 && right < 1000 ? left - right : 0;
  case '/':
    // A quotient that fits: only -1 makes the smallest number too large.
    if (right == -1 || right == 0)
      return 0;
    return left / right;
  default:
    return 0;
  }
}

int main(int argc, char **argv) {
  if (argc != 4 || argv[2][0] == 0 || argv[2][1] != 0) {
    fprintf(stderr, "usage: calculator NUMBER OPERATION NUMBER\n");
    return 1;
  }
  char *rest;
  long left = strtol(argv[1], &rest, 10);
  if (rest == argv[1] || *rest != 0)
    return 1;
  long right = strtol(argv[3], &rest, 10);
  if (rest == argv[3] || *rest != 0)
    return 1;
  printf("%ld\n", calculate(left, argv[2][0], right));
  return 0;
}
