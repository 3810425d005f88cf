// SeaHorn's sassert on a saturating counter.
// check:     assertions
// expect:    unsafe reach-error @ line 14
// engines:   run bmc
// sanitizer: none: no sanitizer knows the verifier's functions

#include "seahorn/seahorn.h"

int main(void) {
  int counter = 0;
  for (int i = 0; i < 20; i++)
    if (counter <= 10)
      counter++;
  sassert(counter == 10);
  return 0;
}
