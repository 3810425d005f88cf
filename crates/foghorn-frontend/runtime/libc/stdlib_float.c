/* <stdlib.h>: floating-point numbers from text.
 *
 * The syntax is recognised here, byte by byte; the value of what was recognised is the intrinsic's,
 * since rounding correctly is the business of the host's arithmetic. Errors set no errno except
 * ERANGE for an infinite result of finite digits.
 */
#include "foghorn_intrinsics.h"

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

static double parse_text(const char *s, size_t n) {
  char *text = __builtin_alloca(n + 1);
  __builtin_memcpy(text, s, n);
  text[n] = 0;
  return __foghorn_parse_double(text);
}

double strtod(const char *text, char **end) {
  const char *s = text;
  if (end != NULL)
    *end = (char *)text;
  while (is_space(*s))
    s++;
  const char *start = s;
  if (*s == '+' || *s == '-')
    s++;
  const char *stop = skip_number(s);
  if (stop == NULL)
    return 0;
  if (end != NULL)
    *end = (char *)stop;
  double value = parse_text(start, (size_t)(stop - start));
  if (__builtin_isinf(value) && !begins(s, "inf"))
    errno = ERANGE;
  return value;
}

/* Rounds twice, which differs from rounding once only half-way between two floats. */
float strtof(const char *s, char **end) { return (float)strtod(s, end); }

/* long double is no better than double here. */
long double strtold(const char *s, char **end) { return (long double)strtod(s, end); }

double atof(const char *s) { return strtod(s, NULL); }
