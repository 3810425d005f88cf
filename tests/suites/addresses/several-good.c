// Any two objects that live at the same time have different addresses.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  void *p[4];
  for (int i = 0; i < 4; i++)
    p[i] = malloc(8);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++)
      assert((uintptr_t)p[i] != (uintptr_t)p[j]);
  for (int i = 0; i < 4; i++)
    free(p[i]);
  return 0;
}
