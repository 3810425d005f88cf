// Repaired twin of: frees a member that is embedded in its struct.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

struct item {
  int id;
  char name[8];
};

int main(void) {
  struct item *item = calloc(1, sizeof *item);
  if (item == NULL)
    return 1;
  struct item *name = item;
  free(name);
  return 0;
}
