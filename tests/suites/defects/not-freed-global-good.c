// Repaired twin of: a global cache is never released.
// check:     memory-cleanup
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

static int *cache;

static int lookup(int i) {
  if (cache == NULL)
    cache = calloc(10, sizeof *cache);
  return cache == NULL ? 0 : cache[i];
}

int main(void) {
  int value = lookup(3);
  free(cache);
  return value;
}
