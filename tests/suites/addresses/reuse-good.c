// Both objects lived at one time, so that their addresses differ, also after one of them is dead.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4), *q = malloc(4);
  uintptr_t before = (uintptr_t)p;
  free(p);
  assert((uintptr_t)q != before);
  free(q);
  return 0;
}
