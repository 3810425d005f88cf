// What malloc gives after a free may be what it gave before.
// check:   assertions
// expect:  unsafe assertion @ line 14
// engines: bmc
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  uintptr_t before = (uintptr_t)p;
  free(p);
  int *q = malloc(4);
  assert((uintptr_t)q != before);
  free(q);
  return 0;
}
