// A tokeniser and a recursive-descent calculator over a table of expressions.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 1 + 2 * 3 = 7
// stdout: (1+2)*3 = 9
// stdout: -(4 - 10) / 2 = 3
// stdout: 100/7/2*3-1 = 20

#include <ctype.h>
#include <stdio.h>

static const char *cursor;

static long expression(void);

static void blanks(void) {
  while (isspace((unsigned char)*cursor))
    cursor++;
}

static long primary(void) {
  long value = 0;
  blanks();
  if (*cursor == '(') {
    cursor++;
    value = expression();
    blanks();
    cursor++;
    return value;
  }
  if (*cursor == '-') {
    cursor++;
    return -primary();
  }
  while (isdigit((unsigned char)*cursor))
    value = value * 10 + (*cursor++ - '0');
  return value;
}

static long term(void) {
  long value = primary();
  for (;;) {
    blanks();
    if (*cursor == '*') {
      cursor++;
      value *= primary();
    } else if (*cursor == '/') {
      cursor++;
      value /= primary();
    } else {
      return value;
    }
  }
}

static long expression(void) {
  long value = term();
  for (;;) {
    blanks();
    if (*cursor != '+' && *cursor != '-')
      return value;
    value = *cursor++ == '+' ? value + term() : value - term();
  }
}

int main(void) {
  static const char *const inputs[] = {"1 + 2 * 3", "(1+2)*3", "-(4 - 10) / 2", "100/7/2*3-1"};
  for (unsigned i = 0; i < sizeof inputs / sizeof *inputs; i++) {
    cursor = inputs[i];
    printf("%s = %ld\n", inputs[i], expression());
  }
  return 0;
}
