/* <stdio.h>: the conversions of the scanf family.
 *
 * Bytes come from a stream or a string, one at a time with one given back, as C prescribes. Where
 * the bytes of a stream are choices and nobody counts them, a number is one choice instead
 * (stdio_scan_choice.c).
 */
#include "foghorn_scan.h"

double strtod(const char *s, char **end);

enum { NUMBER_CAPACITY = 128 };

/* The text of a floating-point number: as much of it as fits the field and the syntax. */
struct gathered {
  char text[NUMBER_CAPACITY];
  size_t n;
  size_t width;
};

static int take(struct scan *s) {
  int c;
  if (s->stream != NULL)
    c = __model_stream_next(s->stream);
  else
    c = *s->text != 0 ? (unsigned char)*s->text++ : EOF;
  if (c != EOF)
    s->taken++;
  return c;
}

static void give_back(struct scan *s, int c) {
  if (c == EOF)
    return;
  s->taken--;
  if (s->stream == NULL) {
    s->text--;
    return;
  }
  s->stream->pushed_back = c;
  s->stream->looked_ahead = 0;
}

static int peek(struct scan *s) {
  int c = take(s);
  give_back(s, c);
  return c;
}

static _Bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_space(struct scan *s) {
  if (__model_scan_choose_space(s))
    return;
  int c;
  do
    c = take(s);
  while (is_space(c));
  give_back(s, c);
}

static void stop(struct scan *s) { s->stopped = 1; }

/* The input ended: the count of assignments, or EOF before the first. (C says: before the first
 * conversion, so that a suppressed one would count; glibc takes it otherwise.) */
static void stop_at_end(struct scan *s) {
  s->stopped = 1;
  if (s->assigned == 0)
    s->assigned = EOF;
}

static void finish(struct scan *s, _Bool converted, _Bool assign) {
  if (!converted)
    stop(s);
  else if (assign)
    s->assigned++;
}

/* White space before most conversions; false where the input ended. */
static _Bool start_field(struct scan *s) {
  skip_space(s);
  if (peek(s) != EOF)
    return 1;
  stop_at_end(s);
  return 0;
}

static void start(struct scan *s, FILE *stream, const char *text) {
  s->stream = stream;
  s->text = text;
  s->taken = 0;
  s->assigned = 0;
  s->stopped = 0;
  s->counted = 0;
}

void __model_scan_string(struct scan *s, const char *text) { start(s, NULL, text); }

void __model_scan_stream(struct scan *s, FILE *stream) {
  __model_stream_check(stream);
  start(s, stream, NULL);
}

void __model_scan_standard(struct scan *s) { __model_scan_stream(s, stdin); }

int __model_scan_result(struct scan *s) { return s->assigned; }

void __model_scan_space(struct scan *s) {
  if (!s->stopped)
    skip_space(s);
}

void __model_scan_literal(struct scan *s, int expected) {
  if (s->stopped)
    return;
  int c = take(s);
  if (c == expected)
    return;
  give_back(s, c);
  if (c == EOF)
    stop_at_end(s);
  else
    stop(s);
}

void __model_scan_percent(struct scan *s) {
  if (s->stopped)
    return;
  skip_space(s);
  __model_scan_literal(s, '%');
}

static int digit_value(int c) {
  if (c >= '0' && c <= '9')
    return c - '0';
  if (c >= 'a' && c <= 'z')
    return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z')
    return c - 'A' + 10;
  return 36;
}

/* Digits up to these many cannot overflow in any base. */
enum { SAFE_DIGITS = 15 };

/* The digits of an integer, the first of which is `c`; what follows them is given back. The result
 * is their number, or 0 if there was none. */
static size_t read_digits(struct scan *s, int c, size_t width, int base, unsigned long long *value,
                          _Bool *overflow) {
  size_t digits = 0;
  *value = 0;
  *overflow = 0;
  while (digits < width && digit_value(c) < base) {
    unsigned long long digit = (unsigned long long)digit_value(c);
    if (digits < SAFE_DIGITS)
      *value = *value * (unsigned)base + digit;
    else if (__builtin_mul_overflow(*value, (unsigned long long)base, value) ||
             __builtin_add_overflow(*value, digit, value))
      *overflow = 1;
    digits++;
    if (digits == width)
      return digits;
    c = take(s);
  }
  give_back(s, c);
  return digits;
}

/* glibc converts every integer by strtol or strtoul of its length: what is too large is the limit of
 * long, even when an int is stored. */
unsigned long long __model_scan_limit(int size, _Bool is_signed, _Bool negative) {
  unsigned bits = size > (int)sizeof(long) ? 64 : 8 * sizeof(long);
  unsigned long long all = ~0ULL >> (64 - bits);
  if (!is_signed)
    return all;
  return negative ? all / 2 + 1 : all / 2;
}

void __model_scan_store(void *to, int size, unsigned long long value) {
  switch (size) {
  case 1: *(char *)to = (char)value; break;
  case 2: *(short *)to = (short)value; break;
  case 4: *(int *)to = (int)value; break;
  default: *(long long *)to = (long long)value; break;
  }
}

/* Whether there was a number. A prefix that decides the base belongs to it. */
static _Bool read_integer(struct scan *s, size_t width, int base, int size, _Bool is_signed,
                          unsigned long long *value) {
  _Bool negative = 0, overflow;
  int c = take(s);
  if (c == '+' || c == '-') {
    negative = c == '-';
    if (--width == 0)
      return 0;
    c = take(s);
  }
  size_t zeros = 0;
  if ((base == 0 || base == 16) && c == '0') {
    zeros = 1;
    if (--width == 0) {
      *value = 0;
      return 1;
    }
    c = take(s);
    if (c == 'x' || c == 'X') {
      zeros = 0;
      base = 16;
      if (--width == 0)
        return 0;
      c = take(s);
    } else if (base == 0) {
      base = 8;
    }
  } else if (base == 0) {
    base = 10;
  }
  if (read_digits(s, c, width, base, value, &overflow) + zeros == 0)
    return 0;
  unsigned long long limit = __model_scan_limit(size, is_signed, negative);
  if (overflow || *value > limit) {
    errno = ERANGE;
    *value = limit;
    negative = 0;
  }
  if (negative)
    *value = -*value;
  return 1;
}

void __model_scan_integer(struct scan *s, void *to, int assign, size_t width, int base, int size,
                          int is_signed) {
  if (s->stopped)
    return;
  unsigned long long value;
  int outcome = width == SIZE_MAX ? __model_scan_choose_integer(s, base, size, is_signed, &value)
                                  : SCAN_NOT_CHOSEN;
  if (outcome == SCAN_ENDED) {
    stop_at_end(s);
    return;
  }
  if (outcome == SCAN_NOT_CHOSEN) {
    if (!start_field(s))
      return;
    if (read_integer(s, width, base, size, is_signed, &value))
      outcome = SCAN_NUMBER;
  }
  if (outcome == SCAN_NUMBER && assign)
    __model_scan_store(to, size, value);
  finish(s, outcome == SCAN_NUMBER, assign);
}

/* Takes the next byte into the number. */
static void gather(struct scan *s, struct gathered *g) {
  int c = take(s);
  if (g->n + 1 < NUMBER_CAPACITY)
    g->text[g->n] = (char)c;
  g->n++;
}

static _Bool next_is(struct scan *s, const struct gathered *g, char lower) {
  if (g->n >= g->width)
    return 0;
  int c = peek(s);
  return c == lower || (lower >= 'a' && c == lower - ('a' - 'A'));
}

static void gather_sign(struct scan *s, struct gathered *g) {
  if (next_is(s, g, '+') || next_is(s, g, '-'))
    gather(s, g);
}

static size_t gather_digits(struct scan *s, struct gathered *g, int base) {
  size_t digits = 0;
  while (g->n < g->width && digit_value(peek(s)) < base) {
    gather(s, g);
    digits++;
  }
  return digits;
}

static _Bool gather_word(struct scan *s, struct gathered *g, const char *word) {
  for (; *word != 0; word++) {
    if (!next_is(s, g, *word))
      return 0;
    gather(s, g);
  }
  return 1;
}

/* "inf" may go on as "infinity", and then must. */
static _Bool gather_infinity(struct scan *s, struct gathered *g) {
  if (!gather_word(s, g, "inf"))
    return 0;
  return !next_is(s, g, 'i') || gather_word(s, g, "inity");
}

static _Bool gather_float(struct scan *s, struct gathered *g) {
  int base = 10;
  gather_sign(s, g);
  if (next_is(s, g, 'i'))
    return gather_infinity(s, g);
  if (next_is(s, g, 'n'))
    return gather_word(s, g, "nan");
  size_t digits = 0;
  if (next_is(s, g, '0')) {
    gather(s, g);
    digits = 1;
    if (next_is(s, g, 'x')) {
      gather(s, g);
      base = 16;
      digits = 0;
    }
  }
  digits += gather_digits(s, g, base);
  if (next_is(s, g, '.')) {
    gather(s, g);
    digits += gather_digits(s, g, base);
  }
  if (digits == 0)
    return 0;
  if (!next_is(s, g, base == 16 ? 'p' : 'e'))
    return 1;
  gather(s, g);
  gather_sign(s, g);
  return gather_digits(s, g, 10) > 0;
}

static _Bool read_float(struct scan *s, size_t width, double *value) {
  struct gathered g;
  g.n = 0;
  g.width = width;
  if (!gather_float(s, &g))
    return 0;
  if (g.n >= NUMBER_CAPACITY)
    __foghorn_unsupported("scanf of a number of more than 127 characters");
  g.text[g.n] = 0;
  *value = strtod(g.text, NULL);
  return 1;
}

void __model_scan_float(struct scan *s, void *to, int assign, size_t width, int size) {
  if (s->stopped)
    return;
  double value;
  int outcome =
      width == SIZE_MAX ? __model_scan_choose_float(s, size, &value) : SCAN_NOT_CHOSEN;
  if (outcome == SCAN_ENDED) {
    stop_at_end(s);
    return;
  }
  if (outcome == SCAN_NOT_CHOSEN) {
    if (!start_field(s))
      return;
    if (read_float(s, width, &value))
      outcome = SCAN_NUMBER;
  }
  if (outcome == SCAN_NUMBER && assign) {
    if (size == 16)
      *(long double *)to = value;
    else if (size == sizeof(double))
      *(double *)to = value;
    else
      *(float *)to = (float)value;
  }
  finish(s, outcome == SCAN_NUMBER, assign);
}

void __model_scan_word(struct scan *s, char *to, int assign, size_t width) {
  if (s->stopped || !start_field(s))
    return;
  size_t n = 0;
  while (n < width) {
    int c = take(s);
    if (c == EOF)
      break;
    if (is_space(c)) {
      give_back(s, c);
      break;
    }
    if (assign)
      to[n] = (char)c;
    n++;
  }
  if (assign)
    to[n] = 0;
  finish(s, 1, assign);
}

void __model_scan_characters(struct scan *s, char *to, int assign, size_t width) {
  if (s->stopped)
    return;
  size_t count = width == SIZE_MAX ? 1 : width;
  for (size_t i = 0; i < count; i++) {
    int c = take(s);
    if (c == EOF && i == 0) {
      stop_at_end(s);
      return;
    }
    if (c == EOF)
      break;
    if (assign)
      to[i] = (char)c;
  }
  finish(s, 1, assign);
}

/* The set of a %[: 256 flags. */
static void read_set(const char *f, _Bool *set) {
  _Bool inverted = *f == '^';
  if (inverted)
    f++;
  __builtin_memset(set, inverted, 256);
  const char *first = f;
  for (; *f != 0 && (*f != ']' || f == first); f++) {
    unsigned char low = (unsigned char)*f, high = low;
    if (f[1] == '-' && f[2] != ']' && f[2] != 0) {
      high = (unsigned char)f[2];
      f += 2;
    }
    for (unsigned c = low; c <= high; c++)
      set[c] = !inverted;
  }
  __foghorn_check_library(*f == ']');
}

void __model_scan_set(struct scan *s, char *to, int assign, size_t width, const char *format) {
  if (s->stopped)
    return;
  _Bool set[256];
  read_set(format, set);
  size_t n = 0;
  while (n < width) {
    int c = take(s);
    if (c == EOF && n == 0) {
      stop_at_end(s);
      return;
    }
    if (c == EOF)
      break;
    if (!set[c]) {
      give_back(s, c);
      break;
    }
    if (assign)
      to[n] = (char)c;
    n++;
  }
  if (n > 0 && assign)
    to[n] = 0;
  finish(s, n > 0, assign);
}

void __model_scan_count(struct scan *s, void *to, int assign, int size) {
  if (!s->stopped && assign)
    __model_scan_store(to, size, s->taken);
}
