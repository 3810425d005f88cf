// Float and double arithmetic, rounding, comparison, conversion and special values.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 0.100000001 0.10000000000000001 0
// stdout: 16777216.0 16777217.0 1.0
// stdout: 0 1 0 1
// stdout: inf -inf -0 1
// stdout: -2 2 200 1000000000000000
// stdout: 1.414214 -2.000000 1.500000
// stdout: 0.333 inf 1
// stdout: 0.99999999999999989 0x1.fffffffffffffp-1
// stdout: 3000000000 4000000000.0

#include <math.h>
#include <stdio.h>

int main(void) {
  float f = 0.1f, g = 16777216.0f;
  double d = 0.1, zero = 0.0, inf = 1 / zero, nan = inf - inf;
  printf("%.9g %.17g %d\n", f, d, f == d);
  printf("%.1f %.1f %.1f\n", g + 1, (double)g + 1, (double)(f * 10));
  printf("%d %d %d %d\n", nan == nan, nan != nan, nan < 1, !(nan >= 1));
  printf("%g %g %g %d\n", inf, -inf, -zero, 1 / -zero < 0);
  printf("%d %d %d %lld\n", (int)-2.9, (int)2.9f, (unsigned char)200.7, (long long)1e15);
  printf("%.6f %.6f %.6f\n", sqrt(2.0), floor(-1.5), fmod(7.5, 2.0));
  printf("%.3f %.3f %d\n", (float)(1.0 / 3), 1e308 * 10 / 1e308, (int)(0.1 + 0.2 > 0.3));
  double sum = 0;
  for (int i = 0; i < 10; i++)
    sum += 0.1;
  printf("%.17g %a\n", sum, sum);
  printf("%u %.1f\n", (unsigned)3000000000.0, (double)4000000000u);
  return 0;
}
