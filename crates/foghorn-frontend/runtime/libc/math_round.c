/* <math.h>: rounding to integers, and sine and cosine in one call. A result that does not fit is
 * unspecified by C, and so it is here. */
#include "foghorn_intrinsics.h"

double sin(double x);
double cos(double x);

/* Whether the value lies strictly within [-2^63, 2^63), where the conversion is defined. */
static _Bool fits(double value) { return value >= -0x1p63 && value < 0x1p63; }

static long long any(void) {
  long long value;
  __foghorn_havoc(&value, sizeof value);
  return value;
}

/* To the nearest integer, half-way cases away from zero. */
static long long round_away(double value) {
  if (!fits(value))
    return any();
  long long whole = (long long)value;
  double fraction = value - (double)whole;
  return fraction >= 0.5 ? whole + 1 : fraction <= -0.5 ? whole - 1 : whole;
}

/* To the nearest integer, half-way cases to the even one: the default rounding mode. */
static long long round_even(double value) {
  if (!fits(value))
    return any();
  long long whole = (long long)value;
  double fraction = value - (double)whole;
  _Bool odd = whole % 2 != 0;
  if (fraction > 0.5 || (fraction == 0.5 && odd))
    return whole + 1;
  if (fraction < -0.5 || (fraction == -0.5 && odd))
    return whole - 1;
  return whole;
}

static long as_long(long long value) {
  return value >= -__LONG_MAX__ - 1 && value <= __LONG_MAX__ ? (long)value : __foghorn_nondet_long();
}

long lround(double value) { return as_long(round_away(value)); }

long lroundf(float value) { return as_long(round_away(value)); }

long long llround(double value) { return round_away(value); }

long long llroundf(float value) { return round_away(value); }

long lrint(double value) { return as_long(round_even(value)); }

long lrintf(float value) { return as_long(round_even(value)); }

long long llrint(double value) { return round_even(value); }

long long llrintf(float value) { return round_even(value); }

void sincos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}

void sincosf(float x, float *sine, float *cosine) {
  *sine = (float)sin(x);
  *cosine = (float)cos(x);
}
