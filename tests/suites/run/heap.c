// Allocation: realloc keeps contents, calloc clears, blocks are apart.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 50 64 40425
// stdout: 0 copy

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  int *v = NULL, n = 0, capacity = 0;
  for (int i = 0; i < 50; i++) {
    if (n == capacity) {
      capacity = capacity ? 2 * capacity : 1;
      int *grown = realloc(v, capacity * sizeof *v);
      if (grown == NULL)
        abort();
      v = grown;
    }
    v[n++] = i * i;
  }
  long sum = 0;
  for (int i = 0; i < n; i++)
    sum += v[i];
  printf("%d %d %ld\n", n, capacity, sum);
  free(v);
  char *zeros = calloc(10, 10), *copy = strdup("copy");
  int all = 0;
  for (int i = 0; i < 100; i++)
    all |= zeros[i];
  printf("%d %s\n", all, copy);
  free(zeros);
  free(copy);
  free(NULL);
  return 0;
}
