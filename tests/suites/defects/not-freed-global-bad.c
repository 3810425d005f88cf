// A global cache is never released.
// check:     memory-cleanup
// expect:    unsafe not-freed @ line 13
// engines:   run bmc
// sanitizer: none: a global still points to the block, so LeakSanitizer is content

#include <stdlib.h>

static int *cache;

static int lookup(int i) {
  if (cache == NULL)
    cache = calloc(10, sizeof *cache);
  return cache == NULL ? 0 : cache[i];
}

int main(void) {
  int value = lookup(3);
  return value;
}
