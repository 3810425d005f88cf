// Arrays of variable length: sizeof, two dimensions, in loops, as parameters.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 1 4 0
// stdout: 2 16 3
// stdout: 3 36 12
// stdout: 4 64 30
// stdout: 1 5

#include <stdio.h>

static int trace(int n, int matrix[n][n]) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += matrix[i][i];
  return sum;
}

int main(void) {
  for (int n = 1; n <= 4; n++) {
    int matrix[n][n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        matrix[i][j] = i * n + j;
    printf("%d %zu %d\n", n, sizeof matrix, trace(n, matrix));
  }
  int side = 0;
  int size = sizeof(char[++side + 4]);
  printf("%d %d\n", side, size);
  return 0;
}
