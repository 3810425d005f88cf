// Memory of no bytes may lie directly in front of other memory.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(16), *q = malloc(0);
  assert((uintptr_t)p + 16 != (uintptr_t)q);
  free(p);
  free(q);
  return 0;
}
