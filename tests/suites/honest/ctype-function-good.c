// toupper of what is a character, or EOF.
// check:   memory-safety
// expect:  safe
// engines: run bmc
// inputs:  -1
#include <ctype.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  int c = __VERIFIER_nondet_int();
  if (c < -1 || c > 255) return 0;
  return toupper(c) == 0;
}
