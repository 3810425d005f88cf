// Weak definitions, weak undefined symbols and aliases.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 2 5 1 10

#include <stdio.h>

int real(int x) { return x + 1; }
int other_name(int x) __attribute__((alias("real")));
__attribute__((weak)) int overridable(void) { return 5; }
extern int missing(void) __attribute__((weak));
int value = 9;
extern int value_alias __attribute__((alias("value")));

int main(void) {
  value_alias++;
  printf("%d %d %d %d\n", other_name(1), overridable(), missing == 0, value);
  return 0;
}
