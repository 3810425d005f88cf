// The functions of math.h that give two results or look at a number's bits.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: -0.75 -3.00
// stdout: 0.6250 7 80.0
// stdout: 1 1 1 1
// stdout: 1 1
// stdout: 2.500 2.000 -1.000
// stdout: 0.8415 2.7183 1.4142
// stdout: 2.0 1.0 -3.0
// stdout: 3 -3 1.0

#include <math.h>
#include <stdio.h>

int main(void) {
  double whole;
  int exponent;
  double fraction = modf(-3.75, &whole);
  printf("%.2f %.2f\n", fraction, whole);
  fraction = frexp(80.0, &exponent);
  printf("%.4f %d %.1f\n", fraction, exponent, ldexp(0.625, 7));
  printf("%d %d %d %d\n", !!isnan(NAN), !!isinf(-INFINITY), !!signbit(-0.0), !!isfinite(1e308));
  printf("%d %d\n", fpclassify(5e-324) == FP_SUBNORMAL, fpclassify(0.0) == FP_ZERO);
  printf("%.3f %.3f %.3f\n", fabs(-2.5), ceil(1.2), trunc(-1.7));
  printf("%.4f %.4f %.4f\n", sin(1.0), exp(1.0), pow(2.0, 0.5));
  printf("%.1f %.1f %.1f\n", fmax(1, 2), fmin(1, 2), copysign(3, -1));
  printf("%ld %ld %.1f\n", lround(2.5), lround(-2.5), round(0.5));
  return 0;
}
