// SeaHorn: a shadow byte of the user's own.
// check:   assertions
// expect:  unsafe reach-error @ line 16
// engines: run bmc

#include "seahorn/seahorn.h"
#include <stdlib.h>

int main(void) {
  char *p = malloc(2), *q = malloc(2);
  if (p == NULL || q == NULL)
    return 0;
  sea_set_shadowmem(1, p, 7);
  sassert(sea_get_shadowmem(1, p) == 7);
  sea_set_shadowmem(1, p, 8);
  sassert(sea_get_shadowmem(1, p) == 7);
  free(p);
  free(q);
  return 0;
}
