// Repaired twin of: asks malloc for as many bytes as there are elements.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

int main(void) {
  int n = 10;
  long *table = malloc(n * sizeof *table);
  if (table == NULL)
    return 1;
  for (int i = 0; i < n; i++)
    table[i] = i;
  free(table);
  return 0;
}
