// Repaired twin of: a flexible array member with one element less than its count says.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

struct list {
  int count;
  int items[];
};

int main(void) {
  struct list *l = malloc(sizeof *l + 3 * sizeof(int));
  if (l == NULL)
    return 1;
  l->count = 3;
  for (int i = 0; i < l->count; i++)
    l->items[i] = i;
  free(l);
  return 0;
}
