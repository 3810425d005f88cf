// A number that was the address of freed memory leads to the memory that lies there now.
// check:   assertions memory-safety
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(4);
  uintptr_t old = (uintptr_t)p;
  free(p);
  int *q = malloc(4);
  *q = 7;
  if ((uintptr_t)q == old)
    assert(*(int *)old == 7);
  free(q);
  return 0;
}
