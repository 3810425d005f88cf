// Objects that live one after the other may all lie at one place.
// check:   assertions
// expect:  unsafe assertion @ line 16
// engines: bmc
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  uintptr_t seen[4];
  for (int i = 0; i < 4; i++) {
    void *p = malloc(8);
    seen[i] = (uintptr_t)p;
    free(p);
  }
  assert(seen[0] != seen[3] || seen[1] != seen[2]);
  return 0;
}
