// Repaired twin of: a global pointer that is overwritten; one into the middle keeps the object.
// check:   memory-leak
// expect:  safe
// engines: run bmc

#include <stdlib.h>

static int *kept;

int main(void) {
  int *p = malloc(40);
  kept = p + 3;
  return 0;
}
