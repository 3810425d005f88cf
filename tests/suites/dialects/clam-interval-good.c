// Repaired twin of: Clam: assumptions and assertions of the abstract interpreter's dialect.
// check:   assertions
// expect:  safe
// engines: run bmc
// inputs:  10

#include "clam/clam.h"

int main(void) {
  int n = nd_int(), sum = 0;
  __CRAB_assume(n >= 0 && n <= 10);
  for (int i = 0; i < n; i++)
    sum += 2;
  CRAB_PRINT_INVARIANTS(sum);
  __CRAB_assert(sum <= 20);
  return 0;
}
