// Every path that comes back returns something.
// check:   undefined
// expect:  safe
// engines: run bmc
// inputs:  0 0

#include <stdlib.h>

int __VERIFIER_nondet_int(void);

static int sign(int x) {
  if (x > 0) return 1;
  for (int i = 0; i < 2; i++) {
    int y = x + i;
    if (y < 0) return -1;
  }
  if (x != 0) abort();
  return 0;
}

int main(void) { return sign(__VERIFIER_nondet_int()) == 2; }
