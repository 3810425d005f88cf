/* <stdio.h>: numbers of a stream whose bytes are choices.
 *
 * Read byte by byte a number is a loop that no bound ends. Here it is one choice, and the text is
 * made from it when somebody wants to see the bytes (foghorn-witness, stream.rs). Nothing is lost:
 * every value that can be stored has a text that gives it, white space before a number and the digits
 * of its text are seen by nobody, and what a number leaves behind is the byte after it.
 *
 * A byte that a conversion has looked at and nobody else has seen may as well be white space where
 * another number follows it: what can come of any other byte there can come after a space too. A byte
 * that the program gave back itself is another matter: then it is the beginning of the number.
 */
#include "foghorn_scan.h"

#ifdef FOGHORN_CHOSEN_INPUT

/* Small codes are what a reader would rather see: a run is shrunk towards them. */
enum { OUTCOME_END, OUTCOME_ERROR, OUTCOME_NUMBER, OUTCOME_STRAY, OUTCOME_OVERFLOW };

#define OF_STREAM(stream, form)                                                                    \
  ((stream)->descriptor == 0 ? __foghorn_stdin_##form() : __foghorn_file_##form())

#define FORM(form)                                                                                 \
  unsigned char __foghorn_stdin_##form##_8(void);                                                  \
  unsigned char __foghorn_file_##form##_8(void);                                                   \
  unsigned short __foghorn_stdin_##form##_16(void);                                                \
  unsigned short __foghorn_file_##form##_16(void);                                                 \
  unsigned __foghorn_stdin_##form##_32(void);                                                      \
  unsigned __foghorn_file_##form##_32(void);                                                       \
  unsigned long long __foghorn_stdin_##form##_64(void);                                            \
  unsigned long long __foghorn_file_##form##_64(void);                                             \
  static unsigned long long form(FILE *stream, int size) {                                         \
    switch (size) {                                                                                \
    case 1: return OF_STREAM(stream, form##_8);                                                    \
    case 2: return OF_STREAM(stream, form##_16);                                                   \
    case 4: return OF_STREAM(stream, form##_32);                                                   \
    default: return OF_STREAM(stream, form##_64);                                                  \
    }                                                                                              \
  }

/* The texts of a value: with a sign, without one, in base 16 and 8, and one in which a prefix decides
 * the base. */
FORM(decimal)
FORM(natural)
FORM(hexadecimal)
FORM(octal)
FORM(prefixed)
/* The same behind a first digit: what remains of the text, or all of it behind a zero. */
FORM(rest_decimal)
FORM(rest_hexadecimal)
FORM(rest_octal)
FORM(behind_zero)

unsigned short __foghorn_stdin_byte(void);
unsigned short __foghorn_file_byte(void);
unsigned char __foghorn_stdin_outcome(void);
unsigned char __foghorn_stdin_more(void);
unsigned char __foghorn_file_more(void);
unsigned char __foghorn_file_outcome(void);
/* A text that is too large for any integer; whether it has a minus. */
_Bool __foghorn_stdin_overflow(void);
_Bool __foghorn_file_overflow(void);
float __foghorn_stdin_float(void);
float __foghorn_file_float(void);
double __foghorn_stdin_double(void);
double __foghorn_file_double(void);
/* The byte at which a text turned out to be no number, and what came before it. */
unsigned short __foghorn_stdin_stray_integer(void);
unsigned short __foghorn_file_stray_integer(void);
unsigned short __foghorn_stdin_stray_float(void);
unsigned short __foghorn_file_stray_float(void);

static _Bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static _Bool is_digit(int c, int base) {
  if (c >= '0' && c <= '9')
    return c - '0' < base;
  return base == 16 && ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'));
}

/* Whether fields may be chosen at all. */
static _Bool may_choose(const struct scan *s) { return s->stream != NULL && !s->counted; }

/* The first byte of the next field, if the program knows it, and EOF otherwise. */
static int known_beginning(FILE *stream) {
  int c = stream->pushed_back;
  stream->pushed_back = EOF;
  if (c == EOF || is_space(c))
    return EOF;
  __foghorn_assume(!stream->looked_ahead);
  return c;
}

_Bool __model_scan_choose_space(struct scan *s) {
  FILE *stream = s->stream;
  if (stream == NULL || s->counted)
    return 0;
  if (stream->pushed_back != EOF && !is_space(stream->pushed_back))
    return 1;
  stream->pushed_back = EOF;
  if (stream->ended == STREAM_GOES_ON && !stream->no_space) {
    unsigned char more = OF_STREAM(stream, more);
    if (more <= OUTCOME_ERROR)
      __model_stream_end(stream, more == OUTCOME_ERROR);
    else
      stream->no_space = 1;
  }
  return 1;
}

/* The byte after a number, which is none of its digits. */
static void look_behind(FILE *stream, int base) {
  int c = __model_stream_following(stream);
  __foghorn_assume(!is_digit(c, base));
  stream->pushed_back = c;
  stream->looked_ahead = 1;
}

static unsigned long long value_in_base(FILE *stream, int base, int size, _Bool is_signed) {
  switch (base) {
  case 0: return prefixed(stream, size);
  case 8: return octal(stream, size);
  case 16: return hexadecimal(stream, size);
  default: return is_signed ? decimal(stream, size) : natural(stream, size);
  }
}

/* What the field is like, if it may be chosen; an end is done with. */
static int choose_outcome(struct scan *s) {
  FILE *stream = s->stream;
  if (stream->ended != STREAM_GOES_ON) {
    __model_stream_next(stream);
    return OUTCOME_END;
  }
  unsigned char outcome = OF_STREAM(stream, outcome);
  if (outcome <= OUTCOME_ERROR) {
    __foghorn_assume(!stream->no_space);
    __model_stream_end(stream, outcome == OUTCOME_ERROR);
    return OUTCOME_END;
  }
  stream->no_space = 0;
  return outcome;
}

static void stray(FILE *stream, unsigned short chosen, int base) {
  int c = __model_stream_decode(stream, chosen);
  __foghorn_assume(!is_digit(c, base));
  stream->pushed_back = c;
  stream->looked_ahead = 1;
}

/* Whether `digit` is the first of a number's digits. Written out, since a loop would count for the
 * engine like any other. */
#define LEADS(power) (value >= digit * (power) && value - digit * (power) < (power))
#define LEADS_4(power, base)                                                                       \
  (LEADS(power) || LEADS((power) * (base)) || LEADS((power) * (base) * (base)) ||                  \
   LEADS((power) * (base) * (base) * (base)))

static _Bool leads_decimal(unsigned long long digit, unsigned long long value) {
  return LEADS_4(1ULL, 10ULL) || LEADS_4(10000ULL, 10ULL) || LEADS_4(100000000ULL, 10ULL) ||
         LEADS_4(1000000000000ULL, 10ULL) || LEADS(10000000000000000ULL) ||
         LEADS(100000000000000000ULL) || LEADS(1000000000000000000ULL) ||
         (digit == 1 && value >= 10000000000000000000ULL);
}

#define SHIFTED(places) (value >> (places) == digit)
#define SHIFTED_4(from, step)                                                                      \
  (SHIFTED(from) || SHIFTED((from) + (step)) || SHIFTED((from) + 2 * (step)) ||                    \
   SHIFTED((from) + 3 * (step)))

static _Bool leads_hexadecimal(unsigned long long digit, unsigned long long value) {
  return SHIFTED_4(0, 4) || SHIFTED_4(16, 4) || SHIFTED_4(32, 4) || SHIFTED_4(48, 4);
}

static _Bool leads_octal(unsigned long long digit, unsigned long long value) {
  return SHIFTED_4(0, 3) || SHIFTED_4(12, 3) || SHIFTED_4(24, 3) || SHIFTED_4(36, 3) ||
         SHIFTED_4(48, 3) || SHIFTED(60) || SHIFTED(63);
}

static int digit_value(int c) {
  return c <= '9' ? c - '0' : c >= 'a' ? c - 'a' + 10 : c - 'A' + 10;
}

/* An integer whose first digit the program knows. */
static unsigned long long value_behind(FILE *stream, int digit, int base, int size) {
  if (digit == '0' && base == 0)
    return behind_zero(stream, size);
  if (digit == '0')
    return value_in_base(stream, base, size, 0);
  unsigned long long first = (unsigned long long)digit_value(digit), value;
  switch (base) {
  case 8:
    value = rest_octal(stream, size);
    __foghorn_assume(leads_octal(first, value));
    break;
  case 16:
    value = rest_hexadecimal(stream, size);
    __foghorn_assume(leads_hexadecimal(first, value));
    break;
  default:
    value = rest_decimal(stream, size);
    __foghorn_assume(leads_decimal(first, value));
  }
  return value;
}

static int too_large(FILE *stream, int base, int size, _Bool is_signed, _Bool negative,
                     unsigned long long *value) {
  look_behind(stream, base);
  errno = ERANGE;
  *value = __model_scan_limit(size, is_signed, negative);
  return SCAN_NUMBER;
}

/* The field begins with a byte that the program has seen. */
static int choose_behind(FILE *stream, int first, int base, int size, _Bool is_signed,
                         unsigned long long *value) {
  int usual = base == 0 ? 10 : base, smallest = base == 0 ? 8 : base;
  _Bool has_sign = first == '+' || first == '-', negative = first == '-';
  if (!has_sign && !is_digit(first, usual)) {
    stream->pushed_back = first;
    stream->looked_ahead = 0;
    return SCAN_NO_NUMBER;
  }
  switch (OF_STREAM(stream, outcome)) {
  case OUTCOME_END:
  case OUTCOME_ERROR: __foghorn_assume(0); return SCAN_ENDED;
  case OUTCOME_STRAY:
    __foghorn_assume(has_sign);
    stray(stream, OF_STREAM(stream, byte), usual);
    return SCAN_NO_NUMBER;
  case OUTCOME_OVERFLOW:
    /* More digits: an unsigned text. */
    __foghorn_assume(!OF_STREAM(stream, overflow));
    return too_large(stream, usual, size, is_signed, negative, value);
  default:
    *value = has_sign ? value_in_base(stream, base == 0 ? 10 : base, size, 0)
                      : value_behind(stream, first, base, size);
    if (negative)
      *value = -*value;
    look_behind(stream, has_sign || first == '0' ? smallest : usual);
    return SCAN_NUMBER;
  }
}

int __model_scan_choose_integer(struct scan *s, int base, int size, _Bool is_signed,
                                unsigned long long *value) {
  if (!may_choose(s))
    return SCAN_NOT_CHOSEN;
  FILE *stream = s->stream;
  int first = known_beginning(stream);
  if (first != EOF)
    return choose_behind(stream, first, base, size, is_signed, value);
  /* Where a prefix decides the base, a digit that ends the number may be one of a larger base. */
  int smallest = base == 0 ? 8 : base;
  switch (choose_outcome(s)) {
  case OUTCOME_END: return SCAN_ENDED;
  case OUTCOME_STRAY:
    stray(stream, OF_STREAM(stream, stray_integer), base == 0 ? 10 : base);
    return SCAN_NO_NUMBER;
  case OUTCOME_OVERFLOW: {
    _Bool negative = OF_STREAM(stream, overflow);
    return too_large(stream, smallest, size, is_signed, negative, value);
  }
  default:
    *value = value_in_base(stream, base, size, is_signed);
    look_behind(stream, smallest);
    return SCAN_NUMBER;
  }
}

int __model_scan_choose_float(struct scan *s, int size, double *value) {
  if (!may_choose(s))
    return SCAN_NOT_CHOSEN;
  FILE *stream = s->stream;
  if (known_beginning(stream) != EOF)
    __foghorn_unsupported("scanf of a number whose first character the program gave back");
  switch (choose_outcome(s)) {
  case OUTCOME_END: return SCAN_ENDED;
  case OUTCOME_STRAY:
    /* Behind the beginning of a word or behind a point, any byte may be the wrong one. */
    stray(stream, OF_STREAM(stream, stray_float), 0);
    return SCAN_NO_NUMBER;
  default:
    if (size == sizeof(float))
      *value = OF_STREAM(stream, float);
    else
      *value = OF_STREAM(stream, double);
    /* Of all that is no number a text gives only one of each sign. */
    if (*value != *value)
      *value = __builtin_signbit(*value) ? -__builtin_nan("") : __builtin_nan("");
    look_behind(stream, 10);
    return SCAN_NUMBER;
  }
}

#else

_Bool __model_scan_choose_space(struct scan *s) {
  (void)s;
  return 0;
}

int __model_scan_choose_integer(struct scan *s, int base, int size, _Bool is_signed,
                                unsigned long long *value) {
  (void)s, (void)base, (void)size, (void)is_signed, (void)value;
  return SCAN_NOT_CHOSEN;
}

int __model_scan_choose_float(struct scan *s, int size, double *value) {
  (void)s, (void)size, (void)value;
  return SCAN_NOT_CHOSEN;
}

#endif
