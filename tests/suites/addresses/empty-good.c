// Memory of no bytes has an address of its own.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(0), *q = malloc(0), *r = malloc(8);
  assert((uintptr_t)p != (uintptr_t)q && (uintptr_t)q != (uintptr_t)r);
  free(p);
  free(q);
  free(r);
  return 0;
}
