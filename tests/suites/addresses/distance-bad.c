// Two objects with one between them do not lie further apart than its size says.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(8), *q = malloc(8);
  assert((uintptr_t)q != (uintptr_t)p + 16);
  free(p);
  free(q);
  return 0;
}
