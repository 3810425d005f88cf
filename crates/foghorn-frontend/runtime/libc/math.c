/* <math.h>: the functions that look at a number's parts or give two results. The pure functions of
 * real numbers are the front end's. */
#include "foghorn_intrinsics.h"

typedef unsigned long long bits64;
typedef unsigned bits32;

static bits64 bits_of(double value) {
  bits64 bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double from_bits(bits64 bits) {
  double value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

static bits32 bits_of_float(float value) {
  bits32 bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  return bits;
}

#define SIGN (1ull << 63)
#define FRACTION ((1ull << 52) - 1)

static int exponent_field(bits64 bits) { return (int)(bits >> 52 & 0x7ff); }

/* glibc's names of the classes are 0 … 4: not a number, infinite, zero, subnormal, normal. */
enum { CLASS_NAN, CLASS_INFINITE, CLASS_ZERO, CLASS_SUBNORMAL, CLASS_NORMAL };

int __fpclassify(double value) {
  bits64 bits = bits_of(value) & ~SIGN;
  if (bits == 0)
    return CLASS_ZERO;
  if (exponent_field(bits) == 0)
    return CLASS_SUBNORMAL;
  if (exponent_field(bits) < 0x7ff)
    return CLASS_NORMAL;
  return (bits & FRACTION) == 0 ? CLASS_INFINITE : CLASS_NAN;
}

int __fpclassifyf(float value) {
  bits32 bits = bits_of_float(value) & 0x7fffffff;
  if (bits == 0)
    return CLASS_ZERO;
  if (bits < 0x800000)
    return CLASS_SUBNORMAL;
  if (bits < 0x7f800000)
    return CLASS_NORMAL;
  return bits == 0x7f800000 ? CLASS_INFINITE : CLASS_NAN;
}

int __signbit(double value) { return bits_of(value) >> 63 != 0; }

int __signbitf(float value) { return bits_of_float(value) >> 31 != 0; }

int __isnan(double value) { return value != value; }

int __isnanf(float value) { return value != value; }

int __isinf(double value) {
  if (__fpclassify(value) != CLASS_INFINITE)
    return 0;
  return value < 0 ? -1 : 1;
}

int __isinff(float value) { return __isinf(value); }

int __finite(double value) { return exponent_field(bits_of(value)) != 0x7ff; }

int __finitef(float value) { return __finite(value); }

int isnan(double value) { return value != value; }

int isinf(double value) { return __isinf(value); }

int finite(double value) { return __finite(value); }

double nan(const char *tag) {
  while (*tag != 0)
    tag++;
  return __builtin_nan("");
}

float nanf(const char *tag) { return (float)nan(tag); }

/* The fraction has the sign of the value, even when it is zero. */
double modf(double value, double *whole) {
  int exponent = exponent_field(bits_of(value)) - 1023;
  bits64 sign = bits_of(value) & SIGN;
  if (exponent >= 52) {
    *whole = value;
    return value != value ? value : from_bits(sign);
  }
  if (exponent < 0) {
    *whole = from_bits(sign);
    return value;
  }
  *whole = from_bits(bits_of(value) & ~(FRACTION >> exponent));
  double fraction = value - *whole;
  return from_bits(bits_of(fraction) | sign);
}

float modff(float value, float *whole) {
  double wide;
  float fraction = (float)modf(value, &wide);
  *whole = (float)wide;
  return fraction;
}

double frexp(double value, int *exponent) {
  int class = __fpclassify(value);
  int shift = 0;
  if (class == CLASS_NAN || class == CLASS_INFINITE || class == CLASS_ZERO) {
    *exponent = 0;
    return value;
  }
  if (class == CLASS_SUBNORMAL) {
    value *= 0x1p54;
    shift = -54;
  }
  bits64 bits = bits_of(value);
  *exponent = exponent_field(bits) - 1022 + shift;
  return from_bits((bits & (SIGN | FRACTION)) | 1022ull << 52);
}

float frexpf(float value, int *exponent) { return (float)frexp(value, exponent); }

/* Two to the n, for n from -1022 to 1023. */
static double power_of_two(int n) { return from_bits((bits64)(n + 1023) << 52); }

/* At most three exact steps, so that only the last one rounds; a step down leaves the value normal
 * until that last one. */
double scalbn(double value, int n) {
  if (n > 1023) {
    value *= 0x1p1023;
    n -= 1023;
    if (n > 1023) {
      value *= 0x1p1023;
      n -= 1023;
      n = n > 1023 ? 1023 : n;
    }
  } else if (n < -1022) {
    value *= 0x1p-969;
    n += 969;
    if (n < -1022) {
      value *= 0x1p-969;
      n += 969;
      n = n < -1022 ? -1022 : n;
    }
  }
  return value * power_of_two(n);
}

double ldexp(double value, int n) { return scalbn(value, n); }

double scalbln(double value, long n) {
  return scalbn(value, n > 10000 ? 10000 : n < -10000 ? -10000 : (int)n);
}

float scalbnf(float value, int n) { return (float)scalbn(value, n); }

float ldexpf(float value, int n) { return (float)scalbn(value, n); }

int ilogb(double value) {
  int exponent;
  if (value == 0 || value != value)
    return -INT_MAX - 1;
  if (__isinf(value))
    return INT_MAX;
  frexp(value, &exponent);
  return exponent - 1;
}

double logb(double value) {
  if (value == 0)
    return -__builtin_inf();
  if (!__finite(value))
    return value * value;
  return ilogb(value);
}
