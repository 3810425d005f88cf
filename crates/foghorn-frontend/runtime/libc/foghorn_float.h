/* Floating-point numbers from text (stdlib_float_value.c). */
#ifndef FOGHORN_FLOAT_H
#define FOGHORN_FLOAT_H

#include "foghorn_intrinsics.h"

/* A binary format: the bits of its mantissa, and its exponents of normal numbers. */
struct float_format {
  int precision, smallest, largest;
};

/* The number from s to end, whose syntax was checked: digits with a point, an exponent, or both in
 * hexadecimal; no sign. Zero and infinity when it is beyond the format. */
double __model_float_value(const char *s, const char *end, const struct float_format *format);

#endif
