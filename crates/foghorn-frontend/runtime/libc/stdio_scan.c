/* <stdio.h>: the scanf family, with formats that are read when they are used.
 *
 * Positional arguments, allocating conversions and wide text are unsupported; an unknown conversion
 * fails a library precondition. The conversions themselves are in stdio_scan_steps.c.
 */
#include "foghorn_scan.h"

struct scan_arguments {
  va_list list;
};

struct directive {
  _Bool suppressed;
  size_t width;
  char length;
  char kind;
};

static _Bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static const char *read_directive(const char *f, struct directive *d) {
  d->width = 0;
  d->suppressed = *f == '*';
  if (d->suppressed)
    f++;
  for (; *f >= '0' && *f <= '9'; f++)
    d->width = d->width * 10 + (size_t)(*f - '0');
  if (*f == '$')
    __foghorn_unsupported("positional argument of scanf");
  if (d->width == 0)
    d->width = SIZE_MAX;
  if (*f == 'm')
    __foghorn_unsupported("allocating conversion of scanf");
  d->length = 0;
  if (*f == 'h' || *f == 'l') {
    _Bool doubled = f[1] == f[0];
    d->length = *f == 'h' ? (doubled ? 'H' : 'h') : (doubled ? 'q' : 'l');
    f += doubled ? 2 : 1;
  } else if (*f == 'j' || *f == 'z' || *f == 't' || *f == 'L' || *f == 'q') {
    d->length = *f++;
  }
  d->kind = *f;
  __foghorn_check_library(*f != 0);
  return f + 1;
}

/* Bytes of the integer that is stored. */
static int integer_size(const struct directive *d) {
  if (d->kind == 'p')
    return sizeof(void *);
  switch (d->length) {
  case 'H': return sizeof(char);
  case 'h': return sizeof(short);
  case 'l': return sizeof(long);
  case 'q':
  case 'L': return sizeof(long long);
  case 'j': return sizeof(intmax_t);
  case 'z':
  case 't': return sizeof(size_t);
  default: return sizeof(int);
  }
}

static int float_size(const struct directive *d) {
  return d->length == 'L' ? 16 : d->length == 'l' ? sizeof(double) : sizeof(float);
}

static void *next_target(const struct directive *d, struct scan_arguments *a) {
  return d->suppressed ? NULL : va_arg(a->list, void *);
}

/* The result is where the format goes on: a set is part of it. */
static const char *convert(struct scan *s, const struct directive *d, const char *f,
                           struct scan_arguments *a) {
  if (d->length == 'l' && (d->kind == 's' || d->kind == 'c' || d->kind == '['))
    __foghorn_unsupported("wide conversion of scanf");
  _Bool assign = !d->suppressed;
  switch (d->kind) {
  case 'd': __model_scan_integer(s, next_target(d, a), assign, d->width, 10, integer_size(d), 1); break;
  case 'u': __model_scan_integer(s, next_target(d, a), assign, d->width, 10, integer_size(d), 0); break;
  case 'i': __model_scan_integer(s, next_target(d, a), assign, d->width, 0, integer_size(d), 1); break;
  case 'o': __model_scan_integer(s, next_target(d, a), assign, d->width, 8, integer_size(d), 0); break;
  case 'x':
  case 'X':
  case 'p': __model_scan_integer(s, next_target(d, a), assign, d->width, 16, integer_size(d), 0); break;
  case 's': __model_scan_word(s, next_target(d, a), assign, d->width); break;
  case 'c': __model_scan_characters(s, next_target(d, a), assign, d->width); break;
  case 'n': __model_scan_count(s, next_target(d, a), assign, integer_size(d)); break;
  case '[':
    __model_scan_set(s, next_target(d, a), assign, d->width, f);
    for (f += *f == '^', f += *f == ']'; *f != 0 && *f != ']';)
      f++;
    return f + 1;
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G': __model_scan_float(s, next_target(d, a), assign, d->width, float_size(d)); break;
  case '%': __model_scan_percent(s); break;
  default: __foghorn_check_library(0);
  }
  return f;
}

static int scan(struct scan *s, const char *f, va_list list) {
  struct scan_arguments arguments;
  va_copy(arguments.list, list);
  s->counted = 1;
  while (*f != 0 && !s->stopped) {
    if (is_space((unsigned char)*f)) {
      __model_scan_space(s);
      f++;
    } else if (*f != '%') {
      __model_scan_literal(s, (unsigned char)*f++);
    } else {
      struct directive d;
      f = read_directive(f + 1, &d);
      f = convert(s, &d, f, &arguments);
    }
  }
  va_end(arguments.list);
  return __model_scan_result(s);
}

int vsscanf(const char *text, const char *format, va_list list) {
  struct scan s;
  __model_scan_string(&s, text);
  return scan(&s, format, list);
}

int vfscanf(FILE *stream, const char *format, va_list list) {
  struct scan s;
  __model_scan_stream(&s, stream);
  return scan(&s, format, list);
}

int vscanf(const char *format, va_list list) {
  struct scan s;
  __model_scan_standard(&s);
  return scan(&s, format, list);
}
#define FORWARD(call)                                                                              \
  va_list list;                                                                                    \
  va_start(list, format);                                                                          \
  int n = call;                                                                                    \
  va_end(list);                                                                                    \
  return n

/* glibc's headers rename the family by the C standard in force. */
#define FAMILY(prefix)                                                                             \
  int prefix##sscanf(const char *text, const char *format, ...) {                                  \
    FORWARD(vsscanf(text, format, list));                                                          \
  }                                                                                                \
  int prefix##fscanf(FILE *stream, const char *format, ...) {                                      \
    FORWARD(vfscanf(stream, format, list));                                                        \
  }                                                                                                \
  int prefix##scanf(const char *format, ...) { FORWARD(vscanf(format, list)); }

#define LIST_FAMILY(prefix)                                                                        \
  int prefix##vsscanf(const char *text, const char *format, va_list list) {                        \
    return vsscanf(text, format, list);                                                            \
  }                                                                                                \
  int prefix##vfscanf(FILE *stream, const char *format, va_list list) {                            \
    return vfscanf(stream, format, list);                                                          \
  }                                                                                                \
  int prefix##vscanf(const char *format, va_list list) { return vscanf(format, list); }

FAMILY()
FAMILY(__isoc99_)
FAMILY(__isoc23_)
LIST_FAMILY(__isoc99_)
LIST_FAMILY(__isoc23_)
