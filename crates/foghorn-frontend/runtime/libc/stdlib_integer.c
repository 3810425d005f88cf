/* <stdlib.h>, <inttypes.h>: absolute values, division, and numbers from text.
 *
 * A direct call of abs is the compiler's, with its check for overflow; the function here is for
 * calls through pointers and for the variants that the compiler does not know.
 */
#include "foghorn_intrinsics.h"

#define LONG_MAX __LONG_MAX__
#define LLONG_MAX __LONG_LONG_MAX__

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;
typedef struct { intmax_t quot, rem; } imaxdiv_t;

/* The smallest integer has no absolute value. */
#define ABSOLUTE(name, type)                                                                       \
  type name(type value) {                                                                          \
    __foghorn_check_library(value >= -SIGNED_MAX(type));                          \
    return value < 0 ? -value : value;                                                             \
  }

/* A quotient must exist and fit. */
#define DIVISION(name, result, type)                                                               \
  result name(type dividend, type divisor) {                                                       \
    __foghorn_check_library(divisor != 0 &&                                                        \
                            (divisor != -1 || dividend >= -SIGNED_MAX(type)));                     \
    return (result){dividend / divisor, dividend % divisor};                                       \
  }

#define SIGNED_MAX(type) ((type)(((unsigned long long)1 << (8 * sizeof(type) - 1)) - 1))

ABSOLUTE(abs, int)
ABSOLUTE(labs, long)
ABSOLUTE(llabs, long long)
ABSOLUTE(imaxabs, intmax_t)
DIVISION(div, div_t, int)
DIVISION(ldiv, ldiv_t, long)
DIVISION(lldiv, lldiv_t, long long)
DIVISION(imaxdiv, imaxdiv_t, intmax_t)

static _Bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The value of a digit in bases up to 36; 36 for anything else. */
static unsigned digit_value(char c) {
  if (c >= '0' && c <= '9')
    return (unsigned)(c - '0');
  if (c >= 'a' && c <= 'z')
    return (unsigned)(c - 'a') + 10;
  if (c >= 'A' && c <= 'Z')
    return (unsigned)(c - 'A') + 10;
  return 36;
}

/* Sign and magnitude of the number at the start of a text. */
struct number {
  unsigned long long magnitude;
  _Bool negative;
  _Bool too_large;
};

/* "0x" is a prefix only when a hexadecimal digit follows; otherwise the number is the "0". */
static const char *skip_prefix(const char *s, unsigned *base) {
  _Bool hexadecimal = s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit_value(s[2]) < 16;
  if (hexadecimal && (*base == 0 || *base == 16)) {
    *base = 16;
    return s + 2;
  }
  if (*base == 0)
    *base = s[0] == '0' ? 8 : 10;
  return s;
}

static struct number parse(const char *text, char **end, int signed_base) {
  struct number result = {0, 0, 0};
  const char *s = text;
  if (end != NULL)
    *end = (char *)text;
  if (signed_base < 0 || signed_base == 1 || signed_base > 36) {
    errno = EINVAL;
    return result;
  }
  while (is_space(*s))
    s++;
  if (*s == '+' || *s == '-')
    result.negative = *s++ == '-';
  unsigned base = (unsigned)signed_base;
  s = skip_prefix(s, &base);
  const char *digits = s;
  for (; digit_value(*s) < base; s++) {
    unsigned digit = digit_value(*s);
    if (result.magnitude > (~0ull - digit) / base)
      result.too_large = 1;
    else
      result.magnitude = result.magnitude * base + digit;
  }
  if (s != digits && end != NULL)
    *end = (char *)s;
  if (s == digits)
    result.negative = 0;
  return result;
}

/* Clamps to [-limit - 1, limit]. */
static long long to_signed(struct number n, long long limit) {
  unsigned long long largest = (unsigned long long)limit + (n.negative ? 1 : 0);
  if (n.too_large || n.magnitude > largest) {
    errno = ERANGE;
    return n.negative ? -limit - 1 : limit;
  }
  if (n.negative && n.magnitude == largest)
    return -limit - 1;
  return n.negative ? -(long long)n.magnitude : (long long)n.magnitude;
}

/* A negative unsigned number wraps; one that is too large is the largest. */
static unsigned long long to_unsigned(struct number n, unsigned long long limit) {
  if (n.too_large || n.magnitude > limit) {
    errno = ERANGE;
    return limit;
  }
  return (n.negative ? 0 - n.magnitude : n.magnitude) & limit;
}

long strtol(const char *s, char **end, int base) {
  return (long)to_signed(parse(s, end, base), LONG_MAX);
}

long long strtoll(const char *s, char **end, int base) {
  return to_signed(parse(s, end, base), LLONG_MAX);
}

unsigned long strtoul(const char *s, char **end, int base) {
  return (unsigned long)to_unsigned(parse(s, end, base), ~0ul);
}

unsigned long long strtoull(const char *s, char **end, int base) {
  return to_unsigned(parse(s, end, base), ~0ull);
}

intmax_t strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }

uintmax_t strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }

long long strtoq(const char *s, char **end, int base) { return strtoll(s, end, base); }

unsigned long long strtouq(const char *s, char **end, int base) { return strtoull(s, end, base); }

/* glibc defines atoi by strtol and a conversion, where C leaves what does not fit undefined. */
int atoi(const char *s) {
  long value = strtol(s, NULL, 10);
  __foghorn_check_library(value >= -INT_MAX - 1 && value <= INT_MAX);
  return (int)value;
}

long atol(const char *s) { return strtol(s, NULL, 10); }

long long atoll(const char *s) { return strtoll(s, NULL, 10); }

/* The names that glibc's headers use for the current standard and for its internals. */
long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }

long long __isoc23_strtoll(const char *s, char **end, int base) { return strtoll(s, end, base); }

unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }

unsigned long long __isoc23_strtoull(const char *s, char **end, int base) {
  return strtoull(s, end, base);
}

intmax_t __isoc23_strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }

uintmax_t __isoc23_strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }

long __strtol_internal(const char *s, char **end, int base, int group) {
  (void)group;
  return strtol(s, end, base);
}

unsigned long __strtoul_internal(const char *s, char **end, int base, int group) {
  (void)group;
  return strtoul(s, end, base);
}
