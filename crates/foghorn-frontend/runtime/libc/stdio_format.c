/* The printf family's engine: one formatted conversion after the other into a sink.
 *
 * Integers, characters, strings and pointers are formatted here; a floating-point conversion is
 * handed on whole to the intrinsic. Positional arguments ("%1$d") and wide text beyond ASCII are
 * unsupported; an unknown conversion is undefined behaviour and fails a library precondition.
 * stdio_print.c has the functions that programs call.
 */
#include "foghorn_stream.h"
#include "foghorn_format.h"

char *strerror(int code);

/* One conversion specification, as read from the format. */
struct conversion {
  _Bool left, plus, space, alternative, zero, grouped;
  int width;
  /* -1: none given. */
  int precision;
  /* 'H' for hh, 'h', 'l', 'q' for ll, 'j', 'z', 't', 'L', or 0. */
  char length;
  char kind;
};

/* Whether nobody looks at what goes to this sink: then only its length is computed, and that without
 * a loop whose end depends on a value. */
static _Bool is_quiet(const struct format_sink *sink) {
#ifdef FOGHORN_QUIET
  return sink->stream != NULL;
#else
  (void)sink;
  return 0;
#endif
}

static void flush(struct format_sink *sink) {
  if (sink->stream != NULL && sink->chunk_used > 0)
    __model_stream_put(sink->stream, sink->chunk, sink->chunk_used);
  sink->chunk_used = 0;
}

static void emit(struct format_sink *sink, char c) {
  if (is_quiet(sink)) {
    /* Only counted. */
  } else if (sink->stream != NULL) {
    if (sink->chunk_used == FORMAT_CHUNK)
      flush(sink);
    sink->chunk[sink->chunk_used++] = c;
  } else if (sink->length < sink->capacity) {
    sink->buffer[sink->length] = c;
  }
  sink->length++;
}

static void emit_all(struct format_sink *sink, const char *s, size_t n) {
  if (is_quiet(sink)) {
    sink->length += n;
    return;
  }
  for (size_t i = 0; i < n; i++)
    emit(sink, s[i]);
}

static void pad(struct format_sink *sink, char c, long count) {
  if (is_quiet(sink)) {
    sink->length += count > 0 ? (size_t)count : 0;
    return;
  }
  for (; count > 0; count--)
    emit(sink, c);
}

/* Body with its prefix (sign or 0x), `zeros` between them, within the field. */
static void emit_field(struct format_sink *sink, const struct conversion *c, const char *prefix,
                       size_t prefix_size, long zeros, const char *body, size_t n) {
  long padding = c->width - (long)prefix_size - zeros - (long)n;
  if (!c->left)
    pad(sink, ' ', padding);
  emit_all(sink, prefix, prefix_size);
  pad(sink, '0', zeros);
  emit_all(sink, body, n);
  if (c->left)
    pad(sink, ' ', padding);
}

static intmax_t signed_argument(struct format_arguments *a, char length) {
  switch (length) {
  case 'H': return (signed char)va_arg(a->list, int);
  case 'h': return (short)va_arg(a->list, int);
  case 'l': return va_arg(a->list, long);
  case 'q':
  case 'L': return va_arg(a->list, long long);
  case 'j': return va_arg(a->list, intmax_t);
  case 'z':
  case 't': return va_arg(a->list, ptrdiff_t);
  default: return va_arg(a->list, int);
  }
}

static uintmax_t unsigned_argument(struct format_arguments *a, char length) {
  switch (length) {
  case 'H': return (unsigned char)va_arg(a->list, int);
  case 'h': return (unsigned short)va_arg(a->list, int);
  case 'l': return va_arg(a->list, unsigned long);
  case 'q':
  case 'L': return va_arg(a->list, unsigned long long);
  case 'j': return va_arg(a->list, uintmax_t);
  case 'z':
  case 't': return va_arg(a->list, size_t);
  default: return va_arg(a->list, unsigned);
  }
}

enum { LONGEST_DIGITS = 64 };

/* The digits end at digits[LONGEST_DIGITS]; the result is where they start. No digit for zero. */
static char *write_digits(char *digits, uintmax_t value, unsigned base, char first_letter) {
  char *start = digits + LONGEST_DIGITS;
  for (; value != 0; value /= base) {
    unsigned digit = (unsigned)(value % base);
    *--start = (char)(digit < 10 ? '0' + digit : first_letter + (digit - 10));
  }
  return start;
}

/* How many digits write_digits writes: one comparison for each that there may be. */
static long count_digits(uintmax_t value, unsigned base) {
  long n = 0;
  for (uintmax_t least = 1;; least *= base) {
    n += value >= least;
    if (least > (uintmax_t)-1 / base)
      return n;
  }
}

/* The digits of an integer with precision, zero flag and prefix applied. */
static void emit_integer(struct format_sink *sink, const struct conversion *c, uintmax_t value,
                         const char *prefix, size_t prefix_size, unsigned base) {
  char digits[LONGEST_DIGITS];
  char *start = digits;
  long n;
  if (is_quiet(sink)) {
    n = count_digits(value, base);
  } else {
    start = write_digits(digits, value, base, c->kind == 'X' ? 'A' : 'a');
    n = (long)(digits + LONGEST_DIGITS - start);
  }
  long zeros = (c->precision < 0 ? 1 : c->precision) - n;
  if (base == 8 && c->alternative && zeros <= 0 && (n > 0 || c->precision == 0))
    zeros = 1;
  if (zeros < 0)
    zeros = 0;
  if (c->zero && !c->left && c->precision < 0 && c->width > n + zeros + (long)prefix_size)
    zeros = c->width - n - (long)prefix_size;
  emit_field(sink, c, prefix, prefix_size, zeros, start, (size_t)n);
}

static void format_signed(struct format_sink *sink, const struct conversion *c, intmax_t value) {
  uintmax_t magnitude = value < 0 ? 0 - (uintmax_t)value : (uintmax_t)value;
  const char *sign = value < 0 ? "-" : c->plus ? "+" : c->space ? " " : "";
  emit_integer(sink, c, magnitude, sign, *sign != 0, 10);
}

static void format_unsigned(struct format_sink *sink, const struct conversion *c, uintmax_t value) {
  char prefix[2] = {'0', c->kind};
  _Bool prefixed = c->alternative && value != 0;
  switch (c->kind) {
  case 'o': emit_integer(sink, c, value, "", 0, 8); break;
  case 'u': emit_integer(sink, c, value, "", 0, 10); break;
  case 'b':
  case 'B': emit_integer(sink, c, value, prefix, prefixed ? 2 : 0, 2); break;
  default: emit_integer(sink, c, value, prefix, prefixed ? 2 : 0, 16); break;
  }
}

/* glibc prints null as "(nil)" and anything else like %#lx, where sign flags have an effect. */
static void format_pointer(struct format_sink *sink, const struct conversion *c, void *pointer) {
  struct conversion like_hexadecimal = *c;
  char prefix[3] = {c->plus ? '+' : ' ', '0', 'x'};
  _Bool with_sign = c->plus || c->space;
  like_hexadecimal.kind = 'x';
  if (pointer == NULL)
    emit_field(sink, c, "", 0, 0, "(nil)", 5);
  else
    emit_integer(sink, &like_hexadecimal, (uintptr_t)pointer, with_sign ? prefix : prefix + 1,
                 with_sign ? 3 : 2, 16);
}

/* With a precision the string needs no terminator within it. glibc prints "(null)" for null, or
 * nothing when the precision has no room for that; C calls null undefined, and so do we. */
static void format_string(struct format_sink *sink, const struct conversion *c, const char *s) {
  size_t n = 0;
  __foghorn_check_library(s != NULL);
  while ((c->precision < 0 || n < (size_t)c->precision) && s[n] != 0)
    n++;
  emit_field(sink, c, "", 0, 0, s, n);
}

static char narrow(int wide) {
  if (wide < 0 || wide > 127)
    __foghorn_unsupported("printf of a wide character that is not ASCII");
  return (char)wide;
}

static void format_wide_string(struct format_sink *sink, const struct conversion *c,
                               const __WCHAR_TYPE__ *s) {
  size_t n = 0;
  __foghorn_check_library(s != NULL);
  while ((c->precision < 0 || n < (size_t)c->precision) && s[n] != 0)
    n++;
  if (!c->left)
    pad(sink, ' ', c->width - (long)n);
  for (size_t i = 0; i < n; i++)
    emit(sink, narrow(s[i]));
  if (c->left)
    pad(sink, ' ', c->width - (long)n);
}

/* Writes the specification back for the intrinsic, with the number for each '*'. */
static void write_specification(char *to, const struct conversion *c) {
  char digits[LONGEST_DIGITS];
  const char flags[] = {c->left ? '-' : 0, c->plus ? '+' : 0, c->space ? ' ' : 0,
                        c->alternative ? '#' : 0, c->zero ? '0' : 0};
  *to++ = '%';
  for (size_t i = 0; i < sizeof flags; i++)
    if (flags[i] != 0)
      *to++ = flags[i];
  for (char *d = write_digits(digits, (uintmax_t)c->width, 10, 'a'); d < digits + LONGEST_DIGITS;)
    *to++ = *d++;
  if (c->precision >= 0) {
    *to++ = '.';
    for (char *d = write_digits(digits, (uintmax_t)c->precision, 10, 'a');
         d < digits + LONGEST_DIGITS;)
      *to++ = *d++;
  }
  *to++ = c->kind;
  *to = 0;
}

static void format_double(struct format_sink *sink, const struct conversion *c, double value) {
  char specification[40];
  write_specification(specification, c);
  /* The longest double has 309 digits before the point. */
  size_t capacity = 340 + (size_t)c->width + (size_t)(c->precision < 0 ? 0 : c->precision);
  char *text = __builtin_alloca(capacity);
  int n = __foghorn_format_double(text, capacity, specification, value);
  __foghorn_assume(n >= 0 && (size_t)n < capacity);
  emit_all(sink, text, (size_t)n);
}

static void store_count(const struct format_sink *sink, struct format_arguments *a, char length) {
  void *to = va_arg(a->list, void *);
  switch (length) {
  case 'H': *(signed char *)to = (signed char)sink->length; break;
  case 'h': *(short *)to = (short)sink->length; break;
  case 'l': *(long *)to = (long)sink->length; break;
  case 'q': *(long long *)to = (long long)sink->length; break;
  case 'j': *(intmax_t *)to = (intmax_t)sink->length; break;
  case 'z':
  case 't': *(size_t *)to = sink->length; break;
  default: *(int *)to = (int)sink->length; break;
  }
}

static void format_character(struct format_sink *sink, const struct conversion *c, int value) {
  char byte = c->length == 'l' ? narrow(value) : (char)value;
  emit_field(sink, c, "", 0, 0, &byte, 1);
}

static void convert(struct format_sink *sink, const struct conversion *c,
                    struct format_arguments *a) {
  switch (c->kind) {
  case 'd':
  case 'i': format_signed(sink, c, signed_argument(a, c->length)); break;
  case 'b':
  case 'B':
  case 'o':
  case 'u':
  case 'x':
  case 'X': format_unsigned(sink, c, unsigned_argument(a, c->length)); break;
  case 'c': format_character(sink, c, va_arg(a->list, int)); break;
  case 's':
    if (c->length == 'l')
      format_wide_string(sink, c, va_arg(a->list, const __WCHAR_TYPE__ *));
    else
      format_string(sink, c, va_arg(a->list, const char *));
    break;
  case 'p': format_pointer(sink, c, va_arg(a->list, void *)); break;
  case 'n': store_count(sink, a, c->length); break;
  case 'm': format_string(sink, c, strerror(errno)); break;
  case '%': emit(sink, '%'); break;
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
    format_double(sink, c, c->length == 'L' ? (double)va_arg(a->list, long double)
                                            : va_arg(a->list, double));
    break;
  default: __foghorn_check_library(0);
  }
}

static const char *read_flags(const char *f, struct conversion *c) {
  for (;; f++)
    switch (*f) {
    case '-': c->left = 1; break;
    case '+': c->plus = 1; break;
    case ' ': c->space = 1; break;
    case '#': c->alternative = 1; break;
    case '0': c->zero = 1; break;
    /* Grouping by thousands has no effect in the C locale. */
    case '\'': c->grouped = 1; break;
    default: return f;
    }
}

/* A number or a '*'. */
static const char *read_number(const char *f, int *value, struct format_arguments *a) {
  if (*f == '*') {
    *value = va_arg(a->list, int);
    return f + 1;
  }
  *value = 0;
  for (; *f >= '0' && *f <= '9'; f++)
    *value = *value * 10 + (*f - '0');
  return f;
}

static const char *read_length(const char *f, struct conversion *c) {
  switch (*f) {
  case 'h': c->length = f[1] == 'h' ? 'H' : 'h'; break;
  case 'l': c->length = f[1] == 'l' ? 'q' : 'l'; break;
  case 'j':
  case 'z':
  case 't':
  case 'L':
  case 'q': c->length = *f; break;
  default: return f;
  }
  return f + (c->length == 'H' || (c->length == 'q' && *f == 'l') ? 2 : 1);
}

static const char *read_conversion(const char *f, struct conversion *c, struct format_arguments *a) {
  f = read_number(read_flags(f, c), &c->width, a);
  if (*f == '$')
    __foghorn_unsupported("positional argument of printf");
  if (c->width < 0) {
    c->left = 1;
    c->width = -c->width;
  }
  if (*f == '.') {
    f = read_number(f + 1, &c->precision, a);
    if (c->precision < 0)
      c->precision = -1;
  }
  f = read_length(f, c);
  c->kind = *f;
  __foghorn_check_library(*f != 0);
  return f + 1;
}

int __model_format(struct format_sink *sink, const char *f, struct format_arguments *a) {
  while (*f != 0) {
    if (*f != '%') {
      emit(sink, *f++);
      continue;
    }
    struct conversion c = {.precision = -1};
    f = read_conversion(f + 1, &c, a);
    convert(sink, &c, a);
  }
  flush(sink);
  if (sink->length > INT_MAX)
    return -1;
  return (int)sink->length;
}
