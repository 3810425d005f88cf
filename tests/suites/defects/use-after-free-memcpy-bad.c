// Copies out of a block of structs after its release.
// check:     memory-safety
// expect:    unsafe use-after-free @ line 19
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>
#include <string.h>

struct pair {
  int a, b;
};

int main(void) {
  struct pair *pairs = calloc(4, sizeof *pairs), kept[2];
  if (pairs == NULL)
    return 1;
  free(pairs);
  memcpy(kept, pairs + 1, sizeof kept);
  return kept[0].a;
}
