// isspace is a macro that reads a table; a negative character lies before what C promises.
// check:   memory-safety
// expect:  unsafe out-of-bounds @ line 12
// engines: run bmc
// inputs:  -100
#include <ctype.h>

signed char __VERIFIER_nondet_char(void);

int main(void) {
  signed char c = __VERIFIER_nondet_char();
  return isspace(c) != 0;
}
