/* <stdio.h>: the scanf family.
 *
 * Bytes come from a stream or a string, one at a time with one given back, as C prescribes. Numbers
 * are gathered into a short text and converted by the models of strtol and strtod. Positional
 * arguments and wide text are unsupported; an unknown conversion fails a library precondition.
 */
#include "foghorn_stream.h"

unsigned long long strtoull(const char *s, char **end, int base);
double strtod(const char *s, char **end);

struct source {
  FILE *stream;
  const char *text;
  /* Bytes taken so far, for %n. */
  size_t taken;
};

struct scan_arguments {
  va_list list;
};

struct directive {
  _Bool suppressed, allocated;
  size_t width;
  char length;
  char kind;
};

enum { NUMBER_CAPACITY = 128 };

/* The text of one number: as much of it as fits the field and the syntax. */
struct gathered {
  char text[NUMBER_CAPACITY];
  size_t n;
  size_t width;
};

static int take(struct source *in) {
  int c;
  if (in->stream != NULL)
    c = __model_stream_get(in->stream);
  else
    c = *in->text != 0 ? (unsigned char)*in->text++ : EOF;
  if (c != EOF)
    in->taken++;
  return c;
}

static void give_back(struct source *in, int c) {
  if (c == EOF)
    return;
  in->taken--;
  if (in->stream != NULL)
    __model_stream_unget(in->stream, c);
  else
    in->text--;
}

static int peek(struct source *in) {
  int c = take(in);
  give_back(in, c);
  return c;
}

static _Bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_space(struct source *in) {
  while (is_space(peek(in)))
    take(in);
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

/* Takes the next byte into the number. */
static void gather(struct source *in, struct gathered *g) {
  int c = take(in);
  if (g->n + 1 < NUMBER_CAPACITY)
    g->text[g->n] = (char)c;
  g->n++;
}

static _Bool next_is(struct source *in, const struct gathered *g, char lower) {
  if (g->n >= g->width)
    return 0;
  int c = peek(in);
  return c == lower || (lower >= 'a' && c == lower - ('a' - 'A'));
}

static void gather_sign(struct source *in, struct gathered *g) {
  if (next_is(in, g, '+') || next_is(in, g, '-'))
    gather(in, g);
}

static size_t gather_digits(struct source *in, struct gathered *g, int base) {
  size_t digits = 0;
  while (g->n < g->width && digit_value(peek(in)) < base) {
    gather(in, g);
    digits++;
  }
  return digits;
}

static void terminate(struct gathered *g) {
  if (g->n >= NUMBER_CAPACITY)
    __foghorn_unsupported("scanf of a number of more than 127 characters");
  g->text[g->n] = 0;
}

/* Whether there was a number; base 0 becomes the base that its prefix says. */
static _Bool gather_integer(struct source *in, struct gathered *g, int *base) {
  size_t digits = 0;
  gather_sign(in, g);
  if ((*base == 0 || *base == 16) && next_is(in, g, '0')) {
    gather(in, g);
    digits = 1;
    if (next_is(in, g, 'x')) {
      gather(in, g);
      digits = 0;
      *base = 16;
    } else if (*base == 0) {
      *base = 8;
    }
  } else if (*base == 0) {
    *base = 10;
  }
  digits += gather_digits(in, g, *base);
  terminate(g);
  return digits > 0;
}

static _Bool gather_word(struct source *in, struct gathered *g, const char *word) {
  for (; *word != 0; word++) {
    if (!next_is(in, g, *word))
      return 0;
    gather(in, g);
  }
  return 1;
}

/* "inf" may go on as "infinity", and then must. */
static _Bool gather_infinity(struct source *in, struct gathered *g) {
  if (!gather_word(in, g, "inf"))
    return 0;
  return !next_is(in, g, 'i') || gather_word(in, g, "inity");
}

static _Bool gather_float(struct source *in, struct gathered *g) {
  int base = 10;
  gather_sign(in, g);
  if (next_is(in, g, 'i'))
    return gather_infinity(in, g);
  if (next_is(in, g, 'n'))
    return gather_word(in, g, "nan");
  size_t digits = 0;
  if (next_is(in, g, '0')) {
    gather(in, g);
    digits = 1;
    if (next_is(in, g, 'x')) {
      gather(in, g);
      base = 16;
      digits = 0;
    }
  }
  digits += gather_digits(in, g, base);
  if (next_is(in, g, '.')) {
    gather(in, g);
    digits += gather_digits(in, g, base);
  }
  if (digits == 0)
    return 0;
  if (!next_is(in, g, base == 16 ? 'p' : 'e'))
    return 1;
  gather(in, g);
  gather_sign(in, g);
  return gather_digits(in, g, 10) > 0;
}

static void store_integer(void *to, char length, unsigned long long value) {
  switch (length) {
  case 'H': *(char *)to = (char)value; break;
  case 'h': *(short *)to = (short)value; break;
  case 'l': *(long *)to = (long)value; break;
  case 'q':
  case 'L': *(long long *)to = (long long)value; break;
  case 'j': *(intmax_t *)to = (intmax_t)value; break;
  case 'z':
  case 't': *(size_t *)to = (size_t)value; break;
  default: *(int *)to = (int)value; break;
  }
}

/* glibc converts every integer by strtol or strtoul of its length: what is too large is the limit of
 * long, even when an int is stored. */
long strtol(const char *s, char **end, int base);
unsigned long strtoul(const char *s, char **end, int base);
long long strtoll(const char *s, char **end, int base);

static unsigned long long convert_integer(const char *text, int base, char length, _Bool is_signed) {
  if (length == 'q' || length == 'L' || length == 'j')
    return is_signed ? (unsigned long long)strtoll(text, NULL, base) : strtoull(text, NULL, base);
  return is_signed ? (unsigned long long)strtol(text, NULL, base) : strtoul(text, NULL, base);
}

static _Bool scan_integer(struct source *in, const struct directive *d, int base,
                          struct scan_arguments *a) {
  struct gathered g = {.width = d->width};
  if (!gather_integer(in, &g, &base))
    return 0;
  _Bool is_signed = d->kind == 'd' || d->kind == 'i';
  if (!d->suppressed)
    store_integer(va_arg(a->list, void *), d->kind == 'p' ? 'z' : d->length,
                  convert_integer(g.text, base, d->kind == 'p' ? 'z' : d->length, is_signed));
  return 1;
}

static _Bool scan_float(struct source *in, const struct directive *d, struct scan_arguments *a) {
  struct gathered g = {.width = d->width};
  if (!gather_float(in, &g))
    return 0;
  terminate(&g);
  if (d->suppressed)
    return 1;
  double value = strtod(g.text, NULL);
  void *to = va_arg(a->list, void *);
  if (d->length == 'L')
    *(long double *)to = value;
  else if (d->length == 'l')
    *(double *)to = value;
  else
    *(float *)to = (float)value;
  return 1;
}

/* The set of a %[: 256 flags. The result is where the set ends in the format. */
static const char *read_set(const char *f, _Bool *set) {
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
  return f + 1;
}

/* Takes bytes of the set (or, without one, bytes that are no space) and stores them. */
static _Bool scan_text(struct source *in, const struct directive *d, const _Bool *set,
                       struct scan_arguments *a) {
  char *to = d->suppressed ? NULL : va_arg(a->list, char *);
  size_t n = 0;
  while (n < d->width) {
    int c = peek(in);
    if (c == EOF || (set != NULL ? !set[c] : is_space(c)))
      break;
    take(in);
    if (to != NULL)
      to[n] = (char)c;
    n++;
  }
  if (n == 0)
    return 0;
  if (to != NULL)
    to[n] = 0;
  return 1;
}

static _Bool scan_characters(struct source *in, const struct directive *d,
                             struct scan_arguments *a) {
  char *to = d->suppressed ? NULL : va_arg(a->list, char *);
  size_t count = d->width == SIZE_MAX ? 1 : d->width;
  for (size_t i = 0; i < count; i++) {
    int c = take(in);
    if (c == EOF)
      return i > 0;
    if (to != NULL)
      to[i] = (char)c;
  }
  return 1;
}

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

static _Bool scan_directive(struct source *in, const struct directive *d, const _Bool *set,
                            struct scan_arguments *a) {
  if (d->length == 'l' && (d->kind == 's' || d->kind == 'c' || d->kind == '['))
    __foghorn_unsupported("wide conversion of scanf");
  switch (d->kind) {
  case 'd':
  case 'u': return scan_integer(in, d, 10, a);
  case 'i': return scan_integer(in, d, 0, a);
  case 'o': return scan_integer(in, d, 8, a);
  case 'x':
  case 'X':
  case 'p': return scan_integer(in, d, 16, a);
  case 's': return scan_text(in, d, NULL, a);
  case '[': return scan_text(in, d, set, a);
  case 'c': return scan_characters(in, d, a);
  case 'a':
  case 'A':
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G': return scan_float(in, d, a);
  default: __foghorn_check_library(0); return 0;
  }
}

/* An ordinary byte of the format, or %%, must come next in the input. */
static _Bool match(struct source *in, char expected) {
  int c = take(in);
  if (c == (unsigned char)expected)
    return 1;
  give_back(in, c);
  return 0;
}

/* The count of assignments, or EOF when the input ended before the first. (C says: before the first
 * conversion, so that a suppressed one would count; glibc takes it otherwise.) */
static int scan(struct source *in, const char *f, struct scan_arguments *a) {
  _Bool set[256];
  int assigned = 0;
  while (*f != 0) {
    if (is_space((unsigned char)*f)) {
      skip_space(in);
      f++;
      continue;
    }
    struct directive d = {.kind = 0};
    if (*f == '%')
      f = read_directive(f + 1, &d);
    if (d.kind == '[')
      f = read_set(f, set);
    if (d.kind == 'n') {
      if (!d.suppressed)
        store_integer(va_arg(a->list, void *), d.length, in->taken);
      continue;
    }
    if (d.kind != 0 && d.kind != '[' && d.kind != 'c')
      skip_space(in);
    if (peek(in) == EOF)
      return assigned > 0 ? assigned : EOF;
    if (d.kind == 0 || d.kind == '%') {
      if (!match(in, d.kind == 0 ? *f++ : '%'))
        return assigned;
      continue;
    }
    if (!scan_directive(in, &d, set, a))
      return assigned;
    if (!d.suppressed)
      assigned++;
  }
  return assigned;
}

static int scan_list(FILE *stream, const char *text, const char *format, va_list list) {
  struct source in = {stream, text, 0};
  struct scan_arguments arguments;
  va_copy(arguments.list, list);
  int n = scan(&in, format, &arguments);
  va_end(arguments.list);
  return n;
}

int vsscanf(const char *text, const char *format, va_list list) {
  return scan_list(NULL, text, format, list);
}

int vfscanf(FILE *stream, const char *format, va_list list) {
  __model_stream_check(stream);
  return scan_list(stream, NULL, format, list);
}

int vscanf(const char *format, va_list list) { return scan_list(stdin, NULL, format, list); }

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
