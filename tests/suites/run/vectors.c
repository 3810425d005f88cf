// Vector extensions: arithmetic, comparison, shuffles, subscripts, conversion.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 9 7 7 5
// stdout: -1 -1 0 0
// stdout: 6 12 18 24
// stdout: 1 4 4 1
// stdout: 1 0 28 4
// stdout: 0.50 7.50
// stdout: 1 30

#include <stdio.h>

typedef int v4 __attribute__((vector_size(16)));
typedef float f4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));

static v4 scale(v4 v, int by) { return v * by; }

static void show(v4 v) { printf("%d %d %d %d\n", v[0], v[1], v[2], v[3]); }

int main(void) {
  v4 a = {1, 2, 3, 4}, b = {4, 3, 2, 1};
  show(a + b * 2 - (v4){0, 1, 0, 1});
  show(a < b);
  show(scale(a, 3) << 1);
  show(__builtin_shufflevector(a, b, 0, 4, 3, 7));
  a[2] = 30;
  show(a & ~b);
  f4 f = __builtin_convertvector(a, f4) / 4.0f;
  printf("%.2f %.2f\n", f[1], f[2]);
  b16 bytes = (b16)a;
  printf("%d %d\n", bytes[0], bytes[8]);
  return 0;
}
