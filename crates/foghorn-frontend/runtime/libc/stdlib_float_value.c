/* The value of a floating-point number in text, correctly rounded.
 *
 * The digits become one big integer; a negative power of ten divides it, after it was moved up far
 * enough that the quotient keeps more bits than any format has. What the division leaves over, and
 * digits beyond those that can matter, only decide on which side of a half-way point the number is.
 */
#include "foghorn_float.h"

/* 768 digits decide the rounding of any double; 800 of them with the largest division need 213
 * words. */
enum { DIGITS = 800, WORDS = 224 };

struct big {
  unsigned words[WORDS];
  int used;
};

/* The digits of a number, without its point. */
struct digits {
  struct big value;
  int count;
  /* The power of the base that the value is to be multiplied by. */
  int exponent;
  /* A digit that was left out was not zero. */
  _Bool inexact;
};

static void multiply_add(struct big *b, unsigned factor, unsigned addend) {
  unsigned long long carry = addend;
  for (int i = 0; i < b->used; i++) {
    carry += (unsigned long long)b->words[i] * factor;
    b->words[i] = (unsigned)carry;
    carry >>= 32;
  }
  if (carry != 0)
    b->words[b->used++] = (unsigned)carry;
}

/* Divides in place and returns the remainder. */
static unsigned divide(struct big *b, unsigned divisor) {
  unsigned long long rest = 0;
  for (int i = b->used - 1; i >= 0; i--) {
    rest = rest << 32 | b->words[i];
    b->words[i] = (unsigned)(rest / divisor);
    rest %= divisor;
  }
  while (b->used > 0 && b->words[b->used - 1] == 0)
    b->used--;
  return (unsigned)rest;
}

static void move_up(struct big *b, int words) {
  __builtin_memmove(b->words + words, b->words, (size_t)b->used * sizeof *b->words);
  __builtin_memset(b->words, 0, (size_t)words * sizeof *b->words);
  b->used += words;
}

static int bit_length(const struct big *b) {
  return 32 * b->used - __builtin_clz(b->words[b->used - 1]);
}

static int bit(const struct big *b, int i) {
  return i < 0 ? 0 : (int)(b->words[i / 32] >> i % 32 & 1);
}

static _Bool any_bit_below(const struct big *b, int i) {
  for (int j = 0; j < i; j++)
    if (j % 32 == 0 && j + 32 <= i ? b->words[j / 32] != 0 : bit(b, j))
      return 1;
  return 0;
}

/* mantissa * 2^n; every step is exact when the result can be represented. */
static double scale(unsigned long long mantissa, int n) {
  double value = (double)mantissa;
  for (; n > 1000; n -= 1000)
    value *= 0x1p1000;
  for (; n < -1000; n += 1000)
    value *= 0x1p-1000;
  for (; n > 0; n--)
    value *= 2;
  for (; n < 0; n++)
    value /= 2;
  return value;
}

/* The number b * 2^exponent (a little more, if inexact), to the nearest, ties to even. */
static double rounded(const struct big *b, int exponent, _Bool inexact,
                      const struct float_format *format) {
  int length = bit_length(b);
  int leading = length - 1 + exponent;
  int precision = format->precision;
  if (leading > format->largest)
    return __builtin_inf();
  if (leading < format->smallest)
    precision -= format->smallest - leading;
  if (precision < 0)
    return 0;
  unsigned long long mantissa = 0;
  for (int i = 1; i <= precision; i++)
    mantissa = mantissa << 1 | (unsigned)bit(b, length - i);
  int half = length - precision - 1;
  if (bit(b, half) && (mantissa % 2 == 1 || inexact || any_bit_below(b, half)))
    mantissa++;
  int n = leading - precision + 1;
  if (mantissa >> format->precision != 0 && leading == format->largest)
    return __builtin_inf();
  return scale(mantissa, n);
}

static int digit_value(char c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'f')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'F')
    return c - 'A' + 10;
  return 16;
}

static void add_digit(struct digits *d, int base, int digit) {
  if (d->count == 0 && digit == 0)
    return;
  if (d->count < DIGITS) {
    multiply_add(&d->value, (unsigned)base, (unsigned)digit);
    d->count++;
  } else {
    d->inexact |= digit != 0;
    d->exponent++;
  }
}

/* Reads digits with a point; returns where they end. */
static const char *read_digits(const char *s, const char *end, int base, struct digits *d) {
  _Bool point = 0;
  for (; s < end; s++) {
    if (*s == '.') {
      point = 1;
      continue;
    }
    if (digit_value(*s) >= base)
      break;
    int count = d->count, exponent = d->exponent;
    add_digit(d, base, digit_value(*s));
    if (point && (d->count != count || d->exponent == exponent))
      d->exponent--;
    else if (point)
      d->exponent = exponent;
  }
  return s;
}

/* The number behind the exponent's letter; far beyond any format it is all the same. */
static int read_exponent(const char *s, const char *end) {
  int value = 0;
  if (s == end)
    return 0;
  s++;
  _Bool negative = *s == '-';
  if (*s == '-' || *s == '+')
    s++;
  for (; s < end; s++)
    if (value < 100000)
      value = value * 10 + (*s - '0');
  return negative ? -value : value;
}

static double decimal(struct digits *d, const struct float_format *format) {
  enum { CHUNK = 9, CHUNK_POWER = 1000000000 };
  /* The position of the first digit decides what is surely infinite or zero. */
  int first = d->count + d->exponent;
  if (first > 310)
    return __builtin_inf();
  if (first < -400)
    return 0;
  for (; d->exponent > 0; d->exponent--)
    multiply_add(&d->value, 10, 0);
  if (d->exponent == 0)
    return rounded(&d->value, 0, d->inexact, format);
  int moved = -d->exponent / CHUNK + 3;
  move_up(&d->value, moved);
  for (; d->exponent <= -CHUNK; d->exponent += CHUNK)
    d->inexact |= divide(&d->value, CHUNK_POWER) != 0;
  for (; d->exponent < 0; d->exponent++)
    d->inexact |= divide(&d->value, 10) != 0;
  return rounded(&d->value, -32 * moved, d->inexact, format);
}

double __model_float_value(const char *s, const char *end, const struct float_format *format) {
  struct digits d;
  _Bool hexadecimal = end - s > 2 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X');
  d.value.used = 0;
  d.count = 0;
  d.exponent = 0;
  d.inexact = 0;
  s = read_digits(hexadecimal ? s + 2 : s, end, hexadecimal ? 16 : 10, &d);
  if (d.count == 0)
    return 0;
  if (!hexadecimal) {
    d.exponent += read_exponent(s, end);
    return decimal(&d, format);
  }
  return rounded(&d.value, 4 * d.exponent + read_exponent(s, end), d.inexact, format);
}
