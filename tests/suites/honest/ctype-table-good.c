// isspace of a character as C wants it.
// check:   memory-safety
// expect:  safe
// engines: run bmc
// inputs:  -100
#include <ctype.h>

signed char __VERIFIER_nondet_char(void);

int main(void) {
  signed char c = __VERIFIER_nondet_char();
  return isspace((unsigned char)c) != 0;
}
