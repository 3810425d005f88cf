// Asks malloc for as many bytes as there are elements.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 15
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

int main(void) {
  int n = 10;
  long *table = malloc(n);
  if (table == NULL)
    return 1;
  for (int i = 0; i < n; i++)
    table[i] = i;
  free(table);
  return 0;
}
