// Memory from malloc is aligned for every type, a variable for its own.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  char *p = malloc(100);
  int x = 0;
  long long y = 0;
  assert((uintptr_t)p % 16 == 0);
  assert((uintptr_t)&x % 4 == 0 && (uintptr_t)&y % 8 == 0);
  free(p);
  return x;
}
