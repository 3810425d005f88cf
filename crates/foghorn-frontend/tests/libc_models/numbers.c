/* Numbers from text, division, sorting, searching and characters. */
#define _GNU_SOURCE
#include "shim.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

long model_strtol(const char *, char **, int);
long long model_strtoll(const char *, char **, int);
unsigned long model_strtoul(const char *, char **, int);
unsigned long long model_strtoull(const char *, char **, int);
double model_strtod(const char *, char **);
float model_strtof(const char *, char **);
int model_atoi(const char *), *model___errno_location(void);
int model_abs(int);
long long model_llabs(long long);
div_t model_div(int, int);
lldiv_t model_lldiv(long long, long long);
typedef int comparison(const void *, const void *);
void model_qsort(void *, size_t, size_t, comparison *);
void model_qsort_r(void *, size_t, size_t, int (*)(const void *, const void *, void *), void *);
void *model_bsearch(const void *, const void *, size_t, size_t, comparison *);
int model_isalpha(int), model_isupper(int), model_islower(int), model_isdigit(int);
int model_isalnum(int), model_isxdigit(int), model_isspace(int), model_isblank(int);
int model_iscntrl(int), model_isprint(int), model_isgraph(int), model_ispunct(int);
int model_toupper(int), model_tolower(int);
const unsigned short **model___ctype_b_loc(void);
const int **model___ctype_tolower_loc(void), **model___ctype_toupper_loc(void);

/* Mostly a number, sometimes nearly one. */
static void number_text(char *s, size_t room) {
  static const char *const forms[] = {"%lld", "  %llx", "\t+%llo", "0x%llX", "-0%llo", "%lldz",
                                      " -%llu", "0x", "0xg", "+", "-", "", "zz%lld", "08%lld",
                                      "18446744073709551615", "18446744073709551616",
                                      "18446744073709551619", "-9223372036854775808",
                                      "9223372036854775808", "-9223372036854775809"};
  snprintf(s, room, forms[random_below(sizeof forms / sizeof *forms)], random_integer());
  if (random_below(5) == 0 && strlen(s) + 30 < room)
    strcat(s, "99999999999999999999999");
}

#define NUMBER(name, type)                                                                         \
  do {                                                                                             \
    char *m_end = NULL, *r_end = NULL;                                                             \
    errno = *model___errno_location() = 0;                                                         \
    type m_ = model_##name(s, &m_end, base);                                                       \
    type r_ = name(s, &r_end, base);                                                               \
    if (m_ != r_ || m_end != r_end || (errno == ERANGE) != (*model___errno_location() == ERANGE))  \
      differ(#name, "'%s' base %d: %llx, %llx", s, base, (long long)m_, (long long)r_);            \
  } while (0)

static void compare_integers(void) {
  static const int bases[] = {0, 10, 16, 8, 2, 36, 3};
  char s[128];
  for (unsigned i = 0; i < 4 * rounds; i++) {
    int base = bases[random_below(7)];
    number_text(s, sizeof s);
    NUMBER(strtol, long);
    NUMBER(strtoll, long long);
    NUMBER(strtoul, unsigned long);
    NUMBER(strtoull, unsigned long long);
  }
  for (unsigned i = 0; i < rounds; i++) {
    int a = (int)random_integer(), b = (int)random_integer();
    if (b == 0 || (b == -1 && a == -2147483647 - 1) || a == -2147483647 - 1)
      continue;
    div_t m = model_div(a, b), r = div(a, b);
    if (m.quot != r.quot || m.rem != r.rem || model_abs(a) != abs(a))
      differ("div", "%d %d", a, b);
  }
}

/* Equal to the bit; but the payload of a NaN is the library's own affair. */
static int same(double a, double b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }

/* Long digits, where the last one decides. */
static void compare_long_floats(void) {
  char s[1200];
  for (unsigned i = 0; i < rounds / 4; i++) {
    unsigned n = 1 + random_below(900);
    for (unsigned j = 0; j < n; j++)
      s[j] = (char)('0' + random_below(10));
    s[random_below(n)] = '.';
    sprintf(s + n, "e%d", (int)random_below(700) - 400);
    double m = model_strtod(s, NULL), r = strtod(s, NULL);
    if (!same(m, r))
      differ("strtod", "'%s': %a, not %a", s, m, r);
  }
}

static void compare_floats(void) {
  static const char *const forms[] = {
      "%.17g", " %g", "+%.3e", "-%.2fx", "%ae", "0x%.0f.8p3", "%.5fe", "%.1fe+", ".%.0f", "%.0f.",
      "inf", "-INFINITY", "infinit", "nan", "nan(12)", "nan(", "+nan(a_b)x", "1e400", "0x", "0x.p1",
      "e5", ".", "-.e3", "0x1.8", "1e", "1e-5000", "%.30e", "%.17ge-310", "%.17ge290", "-0", "0e9999",
      "9007199254740993", "9007199254740992.99999999999999999999999999", "4.9406564584124654e-324",
      "2.4703282292062327e-324", "2.4703282292062328e-324", "2.2250738585072011e-308",
      "1.7976931348623158e308", "1.7976931348623159e308", "0x1.fffffffffffff7p1023",
      "0x1.fffffffffffff8p1023", "0x1p-1075", "0x1.8p-1075", "0x1.00000000000008p0",
      "0x1.000000000000080000000000000001p0", "16777217", "16777217.0000000000001", "3.4028236e38",
      "1e-45", "7e-46", "0.000000000000000000000000000000000000000000000000000000000001e60"};
  char s[512];
  for (unsigned i = 0; i < 2 * rounds; i++) {
    snprintf(s, sizeof s, forms[random_below(sizeof forms / sizeof *forms)],
             (double)random_integer() / (1 + random_below(1000)));
    char *m_end, *r_end;
    double m = model_strtod(s, &m_end), r = strtod(s, &r_end);
    float mf = model_strtof(s, NULL), rf = strtof(s, NULL);
    if (!same(mf, rf))
      differ("strtof", "'%s': %a, not %a", s, mf, rf);
    if (m_end != r_end || !same(m, r))
      differ("strtod", "'%s': %a to %td, %a to %td", s, m, m_end - s, r, r_end - s);
  }
}

struct entry {
  unsigned char key;
  unsigned serial;
} __attribute__((packed));

static int by_key(const void *left, const void *right) {
  return ((const struct entry *)left)->key - ((const struct entry *)right)->key;
}

static int by_key_with(const void *left, const void *right, void *direction) {
  return by_key(left, right) * *(int *)direction;
}

/* glibc's qsort is stable for sizes like these, as the model is. */
static void compare_sorting(void) {
  for (unsigned i = 0; i < rounds / 4; i++) {
    unsigned n = random_below(random_below(4) == 0 ? 200 : 12);
    struct entry *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (unsigned j = 0; j < n; j++)
      a[j] = b[j] = (struct entry){(unsigned char)random_below(40), j};
    int direction = random_below(2) ? 1 : -1;
    if (random_below(2)) {
      model_qsort_r(a, n, sizeof *a, by_key_with, &direction);
      qsort_r(b, n, sizeof *b, by_key_with, &direction);
    } else {
      model_qsort(a, n, sizeof *a, by_key);
      qsort(b, n, sizeof *b, by_key);
      struct entry key = {(unsigned char)random_below(40), 0};
      struct entry *m = model_bsearch(&key, a, n, sizeof *a, by_key);
      struct entry *r = bsearch(&key, b, n, sizeof *b, by_key);
      if ((m == NULL) != (r == NULL) || (m != NULL && m->key != key.key))
        differ("bsearch", "key %d of %u", key.key, n);
    }
    if (n > 0 && memcmp(a, b, n * sizeof *a) != 0)
      differ("qsort", "%u entries", n);
    free(a), free(b);
  }
}

#define CHARACTER(name)                                                                            \
  if ((model_##name(c) != 0) != (name(c) != 0))                                                    \
  differ(#name, "%d", c)

static void compare_characters(void) {
  for (int c = -1; c < 256; c++) {
    CHARACTER(isalpha);
    CHARACTER(isupper);
    CHARACTER(islower);
    CHARACTER(isdigit);
    CHARACTER(isalnum);
    CHARACTER(isxdigit);
    CHARACTER(isspace);
    CHARACTER(isblank);
    CHARACTER(iscntrl);
    CHARACTER(isprint);
    CHARACTER(isgraph);
    CHARACTER(ispunct);
  }
  for (int c = -1; c < 256; c++) {
    if ((*model___ctype_b_loc())[c] != (*__ctype_b_loc())[c])
      differ("__ctype_b_loc", "%d", c);
    if ((*model___ctype_tolower_loc())[c] != (*__ctype_tolower_loc())[c])
      differ("__ctype_tolower_loc", "%d", c);
    if ((*model___ctype_toupper_loc())[c] != (*__ctype_toupper_loc())[c])
      differ("__ctype_toupper_loc", "%d", c);
    if (c >= -1 && (model_tolower(c) != tolower(c) || model_toupper(c) != toupper(c)))
      differ("tolower", "%d", c);
  }
}

void compare_numbers(void) {
  compare_integers();
  compare_floats();
  compare_long_floats();
  compare_sorting();
  compare_characters();
}
