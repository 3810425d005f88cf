// A global pointer that is overwritten; one into the middle keeps the object.
// check:   memory-leak
// expect:  unsafe leak @ line 11
// engines: run bmc

#include <stdlib.h>

static int *kept;

int main(void) {
  kept = malloc(40);
  kept = malloc(40);
  return 0;
}
