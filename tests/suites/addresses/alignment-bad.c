// Memory from malloc is aligned for every type, and no more.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(100);
  assert((uintptr_t)p % 64 == 0);
  free(p);
  return 0;
}
