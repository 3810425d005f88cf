// Multiplies matrices of doubles passed as pointers to rows.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: -8.666667 -3.833333 27.916667

#include <stdio.h>

enum { N = 4 };

static void multiply(double (*a)[N], double (*b)[N], double (*c)[N]) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      c[i][j] = 0;
      for (int k = 0; k < N; k++)
        c[i][j] += a[i][k] * b[k][j];
    }
}

int main(void) {
  double a[N][N], b[N][N], c[N][N], trace = 0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i + 1.0 / (j + 1);
      b[i][j] = i == j ? 2 : i - j;
    }
  multiply(a, b, c);
  for (int i = 0; i < N; i++)
    trace += c[i][i];
  printf("%.6f %.6f %.6f\n", trace, c[0][3], c[3][0]);
  return 0;
}
