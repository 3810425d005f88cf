// CBMC's questions about objects.
// check:   assertions memory-safety
// expect:  unsafe assertion @ line 11
// engines: run bmc
#include <stdlib.h>

int main(void) {
  int x = 0;
  int *p = malloc(8);
  __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(p + 1), "on the heap");
  __CPROVER_assert(__CPROVER_DYNAMIC_OBJECT(&x), "not on the heap");
  free(p);
  return 0;
}
