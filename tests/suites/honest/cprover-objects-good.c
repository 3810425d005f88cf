// CBMC's questions about objects.
// check:   assertions memory-safety
// expect:  safe
// engines: run bmc
#include <stdlib.h>

int main(void) {
  int x = 0;
  int *p = malloc(8);
  __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(p + 1), "on the heap");
  __CPROVER_assert(!__CPROVER_DYNAMIC_OBJECT(&x), "not on the heap");
  __CPROVER_assert(__CPROVER_POINTER_OBJECT(p) == __CPROVER_POINTER_OBJECT(p + 1), "one object");
  __CPROVER_assert(__CPROVER_POINTER_OBJECT(p) != __CPROVER_POINTER_OBJECT(&x), "two objects");
  __CPROVER_assert(__CPROVER_LIVE_OBJECT(p), "alive");
  free(p);
  return 0;
}
