// Reads `number operator number` lines; nobody looks at the divisor.
// check:   assertions memory-safety integer-overflow undefined
// expect:  unsafe division @ line 13
// engines: verify
#include <stdio.h>

static int apply(long left, char operator, long right, long *result) {
  switch (operator) {
  case '+': *result = left + right; return 1;
  case '-': *result = left - right; return 1;
  case '*': *result = left * right; return 1;
  case '/':
    *result = left / right;
    return 1;
  default: return 0;
  }
}

int main(void) {
  int left, right;
  char operator;
  long result;
  while (scanf("%d %c %d", &left, &operator, &right) == 3) {
    if (apply(left, operator, right, &result))
      printf("= %ld\n", result);
    else
      printf("unknown operator '%c'\n", operator);
  }
  return 0;
}
