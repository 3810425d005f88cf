/* printf: random conversion specifications with arguments of the type they ask for. */
#define _GNU_SOURCE
#include "shim.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int model_snprintf(char *, size_t, const char *, ...);
int model_printf(const char *, ...);
int model_sprintf(char *, const char *, ...);
int model_asprintf(char **, const char *, ...);

static char specification[64];
/* Width and precision, as one or two ints before the value when the specification has stars. */
static int stars[2];
static unsigned star_count;

static void append(char **to, const char *s) { *to = stpcpy(*to, s); }

static void append_number(char **to) {
  if (random_below(3) == 0) {
    append(to, "*");
    stars[star_count++] = (int)random_below(30) - 5;
  } else {
    *to += sprintf(*to, "%u", random_below(30));
  }
}

static void begin_specification(char **to, const char *flags) {
  star_count = 0;
  append(to, "<%");
  for (; *flags != 0; flags++)
    if (random_below(3) == 0)
      *(*to)++ = *flags;
  if (random_below(2))
    append_number(to);
}

static void append_precision(char **to) {
  if (random_below(2) == 0)
    return;
  append(to, ".");
  if (random_below(4) != 0)
    append_number(to);
}

enum { ROOM = 512 };

#define CALL(function, value)                                                                      \
  (star_count == 0   ? function(specification, value)                                              \
   : star_count == 1 ? function(specification, stars[0], value)                                    \
                     : function(specification, stars[0], stars[1], value))

#define REAL(...) snprintf(real, capacity, __VA_ARGS__)
#define MODEL(...) model_snprintf(model, capacity, __VA_ARGS__)

#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"

#define COMPARE(value)                                                                             \
  do {                                                                                             \
    char real[ROOM], model[ROOM];                                                                  \
    size_t capacity = random_below(3) == 0 ? random_below(12) : ROOM;                              \
    memset(real, '#', ROOM);                                                                       \
    memset(model, '#', ROOM);                                                                      \
    int r_ = CALL(REAL, value);                                                                    \
    int m_ = CALL(MODEL, value);                                                                   \
    if (r_ != m_ || memcmp(real, model, ROOM) != 0)                                                \
      differ("snprintf", "%s (%d %d) of %llx: %d '%.60s', not %d '%.60s'", specification,          \
             stars[0], stars[1], (long long)value, m_, model, r_, real);                           \
  } while (0)

static void compare_integer(void) {
  static const char *const lengths[] = {"", "", "hh", "h", "l", "ll", "j", "z", "t"};
  static const char *const kinds[] = {"d", "i", "u", "o", "x", "X", "b"};
  static const char *const flags[] = {"-+ 0'", "-+ 0", "-0'", "-#0", "-#0", "-#0", "-#0"};
  unsigned kind = random_below(7), length = random_below(9);
  char *to = specification;
  begin_specification(&to, flags[kind]);
  append_precision(&to);
  append(&to, lengths[length]);
  append(&to, kinds[kind]);
  append(&to, ">");
  long long value = random_integer();
  if (length < 4)
    COMPARE((int)value);
  else
    COMPARE(value);
}

static void compare_text(void) {
  static const char *const texts[] = {"", "a", "hello", "a longer text with % in it", "\xe4\x80"};
  char *to = specification;
  begin_specification(&to, "-");
  append_precision(&to);
  append(&to, "s>%%");
  const char *value = texts[random_below(5)];
  COMPARE(value);
}

/* With a precision the text may lack a terminator. */
static void compare_unterminated(void) {
  size_t n = 1 + random_below(9);
  char *value = malloc(n);
  memset(value, 'u', n);
  star_count = 0;
  sprintf(specification, "%%.%zus", n);
  COMPARE(value);
  free(value);
}

static void compare_character(void) {
  char *to = specification;
  begin_specification(&to, "-");
  append(&to, "c>");
  int value = 1 + (int)random_below(255);
  COMPARE(value);
}

static void compare_pointer(void) {
  char *to = specification;
  begin_specification(&to, "-");
  append(&to, "p>");
  void *value = random_below(4) == 0 ? NULL : (void *)(uintptr_t)random_integer();
  COMPARE(value);
}

static void compare_float(void) {
  static const char *const kinds[] = {"f", "F", "e", "E", "g", "G", "a", "A"};
  char *to = specification;
  begin_specification(&to, "-+ #0");
  append_precision(&to);
  append(&to, kinds[random_below(8)]);
  append(&to, ">");
  double value = (double)random_integer() / (1 + random_below(1000000));
  COMPARE(value);
}

static void compare_streams(void) {
  char real[256], model[256], *allocated;
  int first = (int)random_integer();
  long long second = random_integer();
  int n = sprintf(real, "%d %s|%llx%c\n", first, "text", second, 'c');
  shim_output_used = 0;
  int m = model_printf("%d %s|%llx%c\n", first, "text", second, 'c');
  int k = model_sprintf(model, "%d %s|%llx%c\n", first, "text", second, 'c');
  int l = model_asprintf(&allocated, "%d %s|%llx%c\n", first, "text", second, 'c');
  if (m != n || k != n || l != n || shim_output_used != (size_t)n ||
      memcmp(shim_output, real, (size_t)n) != 0 || strcmp(real, model) != 0 ||
      strcmp(real, allocated) != 0)
    differ("printf", "%d %llx", first, second);
  free(allocated);
}

void compare_formats(void) {
  for (unsigned i = 0; i < 5 * rounds; i++) {
    compare_integer();
    compare_integer();
    compare_text();
    compare_unterminated();
    compare_character();
    compare_pointer();
    compare_float();
    if (i % 10 == 0)
      compare_streams();
  }
}
