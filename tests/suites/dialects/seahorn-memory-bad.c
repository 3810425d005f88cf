// SeaHorn: nd functions, assume, memhavoc and sea_is_dereferenceable.
// check:   assertions
// expect:  unsafe reach-error @ line 17
// engines: run bmc
// inputs:  65

#include "seahorn/seahorn.h"

extern void memhavoc(void *, size_t);

int main(void) {
  char bytes[4] = {1, 2, 3, 4};
  memhavoc(bytes, sizeof bytes);
  sassert(sea_is_dereferenceable(bytes + 1, 3));
  sassert(!sea_is_deref(bytes + 1, 4));
  assume(bytes[0] == 65);
  sassert(bytes[0] != 65);
  return 0;
}
