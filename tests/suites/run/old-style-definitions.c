// K&R definitions, an implicit int, and calls without a prototype.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 42 2.50 3
// stdout: 16

#include <stdio.h>

scale(value, factor)
int value;
short factor;
{
  return value * factor;
}

static double half(x) double x; { return x / 2; }

int letters(text, end)
char *text, end;
{
  int n = 0;
  while (text[n] && text[n] != end)
    n++;
  return n;
}

int main() {
  printf("%d %.2f %d\n", scale(6, 7), half(5.0), letters("abc.def", '.'));
  printf("%d\n", later(4));
  return 0;
}

int later(n) { return n * n; }
