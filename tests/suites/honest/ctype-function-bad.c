// toupper of what is no character.
// check:   memory-safety
// expect:  unsafe library-precondition @ line 11
// engines: run bmc
// inputs:  100000
#include <ctype.h>

int __VERIFIER_nondet_int(void);

int main(void) {
  return toupper(__VERIFIER_nondet_int()) == 0;
}
