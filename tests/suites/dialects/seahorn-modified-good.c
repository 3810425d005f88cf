// Repaired twin of: SeaHorn: tracking of modified memory.
// check:   assertions
// expect:  safe
// engines: run bmc

#include "seahorn/seahorn.h"

static char cell, other;

int main(void) {
  sea_tracking_on();
  sea_reset_modified(&cell);
  sea_reset_modified(&other);
  cell = 1;
  sassert(sea_is_modified(&cell));
  sea_tracking_off();
  other = 2;
  sassert(!sea_is_modified(&other));
  return 0;
}
