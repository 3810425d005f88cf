/* <stdlib.h>: floating-point numbers from text: their syntax. Their value is in
 * stdlib_float_value.c. ERANGE is set for an infinite result of finite digits, and for zero and
 * subnormal results of digits that are not zero. */
#include "foghorn_float.h"

static _Bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static _Bool is_digit(char c) { return c >= '0' && c <= '9'; }

static _Bool is_hexadecimal(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* Whether s begins with the lower-case word, in any case. */
static _Bool begins(const char *s, const char *word) {
  for (; *word != 0; s++, word++)
    if (*s != *word && *s != *word - ('a' - 'A'))
      return 0;
  return 1;
}

/* The end of the digits with at most one point; null when there is no digit. */
static const char *skip_mantissa(const char *s, _Bool hexadecimal) {
  _Bool digits = 0, point = 0;
  for (;; s++) {
    if (hexadecimal ? is_hexadecimal(*s) : is_digit(*s))
      digits = 1;
    else if (*s == '.' && !point)
      point = 1;
    else
      return digits ? s : NULL;
  }
}

/* An exponent counts only when it has a digit. */
static const char *skip_exponent(const char *s, char marker) {
  const char *e = s;
  if (*e != marker && *e != marker - ('a' - 'A'))
    return s;
  e++;
  if (*e == '+' || *e == '-')
    e++;
  if (!is_digit(*e))
    return s;
  while (is_digit(*e))
    e++;
  return e;
}

/* "nan(characters)" is one number, "nan(" without the rest is "nan". */
static const char *skip_nan(const char *s) {
  const char *e = s + 3;
  if (*e != '(')
    return e;
  do
    e++;
  while (is_digit(*e) || (*e >= 'a' && *e <= 'z') || (*e >= 'A' && *e <= 'Z') || *e == '_');
  return *e == ')' ? e + 1 : s + 3;
}

static const char *skip_number(const char *s) {
  if (begins(s, "infinity"))
    return s + 8;
  if (begins(s, "inf"))
    return s + 3;
  if (begins(s, "nan"))
    return skip_nan(s);
  if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X')) {
    const char *e = skip_mantissa(s + 2, 1);
    return e != NULL ? skip_exponent(e, 'p') : s + 1;
  }
  const char *e = skip_mantissa(s, 0);
  return e != NULL ? skip_exponent(e, 'e') : NULL;
}

static _Bool has_digit(const char *s, const char *end) {
  for (; s < end && *s != 'e' && *s != 'E' && *s != 'p' && *s != 'P'; s++)
    if (is_hexadecimal(*s) && *s != '0')
      return 1;
  return 0;
}

/* The magnitude of what skip_number found. */
static double magnitude(const char *s, const char *end, const struct float_format *format) {
  if (begins(s, "inf"))
    return __builtin_inf();
  if (begins(s, "nan"))
    return __builtin_nan("");
  double value = __model_float_value(s, end, format);
  double smallest = format->precision == 24 ? 0x1p-126 : 0x1p-1022;
  if (__builtin_isinf(value) || (value < smallest && has_digit(s, end)))
    errno = ERANGE;
  return value;
}

static double parse(const char *text, char **end, const struct float_format *format) {
  const char *s = text;
  if (end != NULL)
    *end = (char *)text;
  while (is_space(*s))
    s++;
  _Bool negative = *s == '-';
  if (*s == '+' || *s == '-')
    s++;
  const char *stop = skip_number(s);
  if (stop == NULL)
    return 0;
  if (end != NULL)
    *end = (char *)stop;
  double value = magnitude(s, stop, format);
  return negative ? -value : value;
}

static const struct float_format double_format = {53, -1022, 1023};
static const struct float_format single_format = {24, -126, 127};

double strtod(const char *s, char **end) { return parse(s, end, &double_format); }

float strtof(const char *s, char **end) { return (float)parse(s, end, &single_format); }

/* long double is no better than double here. */
long double strtold(const char *s, char **end) {
  return (long double)parse(s, end, &double_format);
}

double atof(const char *s) { return strtod(s, NULL); }
