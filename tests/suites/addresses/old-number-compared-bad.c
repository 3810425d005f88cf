// A number that was the address of freed memory becomes a pointer to what lies there now.
// check:   assertions
// expect:  unsafe assertion @ line 18
// engines: bmc
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(1);
  uintptr_t old = (uintptr_t)p;
  free(p);
  char *q = malloc(1);
  uintptr_t now = (uintptr_t)q;
  char *r = (char *)old;
  if (now == 0)
    return 1;
  assert(r != q);
  free(q);
  return 0;
}
