// Repaired twin of: seaHorn's sassert on a saturating counter.
// check:     assertions
// expect:    safe
// engines:   run bmc absint
// sanitizer: none

#include "seahorn/seahorn.h"

int main(void) {
  int counter = 0;
  for (int i = 0; i < 20; i++)
    if (counter < 10)
        counter++;
  sassert(counter == 10);
  return 0;
}
