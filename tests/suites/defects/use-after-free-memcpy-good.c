// Repaired twin of: copies out of a block of structs after its release.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>
#include <string.h>

struct pair {
  int a, b;
};

int main(void) {
  struct pair *pairs = calloc(4, sizeof *pairs), kept[2];
  if (pairs == NULL)
    return 1;
  memcpy(kept, pairs + 1, sizeof kept);
  free(pairs);
  return kept[0].a;
}
