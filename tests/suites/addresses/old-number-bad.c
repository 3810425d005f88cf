// A number that was the address of freed memory leads to the memory that lies there now.
// check:   assertions memory-safety
// expect:  unsafe assertion @ line 17
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
    *(int *)old = 8;
  assert(*q == 7);
  free(q);
  return 0;
}
