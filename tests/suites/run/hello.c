// Prints a line and nothing else.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: hello, fog

#include <stdio.h>

int main(void) {
  puts("hello, fog");
  return 0;
}
