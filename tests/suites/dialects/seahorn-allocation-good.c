// Repaired twin of: SeaHorn: memhavoc of what an allocator gave, which may be nothing; memhavoc beyond the object.
// check:   memory-safety
// expect:  safe
// engines: run bmc
// inputs:  1

#include "seahorn/seahorn.h"
#include <stdlib.h>

extern void memhavoc(void *, size_t);
extern _Bool nd_malloc_is_fail(void);

int main(void) {
  char *bytes = nd_malloc_is_fail() ? NULL : malloc(4);
  memhavoc(bytes, 4);
  free(bytes);
  return 0;
}
