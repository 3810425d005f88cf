/* Parts of floating-point numbers, the calendar, wide strings and command-line options. */
#define _GNU_SOURCE
#include "shim.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

double model_modf(double, double *), model_frexp(double, int *), model_ldexp(double, int);
double model_scalbln(double, long), model_logb(double);
float model_modff(float, float *), model_frexpf(float, int *), model_ldexpf(float, int);
int model___fpclassify(double), model___fpclassifyf(float), model___signbit(double);
int model___isinf(double), model_ilogb(double);
struct tm *model_gmtime_r(const time_t *, struct tm *);
time_t model_timegm(struct tm *);
char *model_asctime_r(const struct tm *, char *);
size_t model_wcslen(const wchar_t *), model_mbstowcs(wchar_t *, const char *, size_t);
int model_wcscmp(const wchar_t *, const wchar_t *);
int model_getopt(int, char *const *, const char *);
extern char *model_optarg;
extern int model_optind, model_opterr, model_optopt;

static double random_double(void) {
  uint64_t bits = ((uint64_t)random_below(1u << 31) << 33) ^ ((uint64_t)random_below(1u << 31) << 8) ^
                  random_below(256);
  static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, 1.0, -1.5, 4503599627370496.5,
                                   5e-324, 2.2250738585072014e-308, 1.7976931348623157e308};
  double value;
  if (random_below(5) == 0)
    return special[random_below(sizeof special / sizeof *special)];
  if (random_below(2))
    return (double)random_integer() / (1 + random_below(5000));
  memcpy(&value, &bits, sizeof value);
  return value;
}

static int same(double a, double b) { return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0; }

static void compare_parts(void) {
  for (unsigned i = 0; i < 4 * rounds; i++) {
    double d = random_double(), m_whole, r_whole;
    float f = (float)d, m_float, r_float;
    int m_exponent, r_exponent, n = (int)random_below(4400) - 2200;
    if (!same(model_modf(d, &m_whole), modf(d, &r_whole)) || !same(m_whole, r_whole))
      differ("modf", "%a", d);
    if (!same(model_modff(f, &m_float), modff(f, &r_float)) || !same(m_float, r_float))
      differ("modff", "%a", f);
    if (!same(model_frexp(d, &m_exponent), frexp(d, &r_exponent)) ||
        (isfinite(d) && m_exponent != r_exponent))
      differ("frexp", "%a", d);
    if (!same(model_frexpf(f, &m_exponent), frexpf(f, &r_exponent)) ||
        (isfinite(f) && m_exponent != r_exponent))
      differ("frexpf", "%a", f);
    if (!same(model_ldexp(d, n), ldexp(d, n)) || !same(model_scalbln(d, n), scalbln(d, n)))
      differ("ldexp", "%a %d", d, n);
    if (!same(model_ldexpf(f, n), ldexpf(f, n)))
      differ("ldexpf", "%a %d", f, n);
    if (model___fpclassify(d) != fpclassify(d) || model___fpclassifyf(f) != fpclassify(f) ||
        model___signbit(d) != !!signbit(d) || model___isinf(d) != __builtin_isinf_sign(d))
      differ("fpclassify", "%a", d);
    if ((d == d && model_ilogb(d) != ilogb(d)) || !same(model_logb(d), logb(d)))
      differ("ilogb", "%a", d);
  }
}

static int same_time(const struct tm *a, const struct tm *b) {
  return a->tm_sec == b->tm_sec && a->tm_min == b->tm_min && a->tm_hour == b->tm_hour &&
         a->tm_mday == b->tm_mday && a->tm_mon == b->tm_mon && a->tm_year == b->tm_year &&
         a->tm_wday == b->tm_wday && a->tm_yday == b->tm_yday;
}

static void compare_calendar(void) {
  for (unsigned i = 0; i < 2 * rounds; i++) {
    time_t t = (time_t)(random_integer() % (1LL << 41));
    struct tm m, r;
    char m_text[64], r_text[64];
    if (!same_time(model_gmtime_r(&t, &m), gmtime_r(&t, &r)))
      differ("gmtime_r", "%ld", (long)t);
    if (r.tm_year > -900 && r.tm_year < 8100 &&
        strcmp(model_asctime_r(&m, m_text), asctime_r(&r, r_text)) != 0)
      differ("asctime_r", "%ld", (long)t);
    m.tm_mon += (int)random_below(50) - 25;
    m.tm_mday += (int)random_below(100) - 50;
    m.tm_hour += (int)random_below(100) - 50;
    m.tm_sec -= (int)random_below(1000);
    r = m;
    if (model_timegm(&m) != timegm(&r) || !same_time(&m, &r))
      differ("timegm", "%ld", (long)t);
  }
}

static void compare_wide(void) {
  static const wchar_t *const texts[] = {L"", L"a", L"ab", L"b", L"\x3b1", L"abc"};
  wchar_t m[8], r[8];
  for (unsigned i = 0; i < 6; i++)
    for (unsigned j = 0; j < 6; j++) {
      int order = wcscmp(texts[i], texts[j]), model = model_wcscmp(texts[i], texts[j]);
      if ((order > 0) - (order < 0) != model || model_wcslen(texts[i]) != wcslen(texts[i]))
        differ("wcscmp", "%u %u", i, j);
    }
  memset(m, 0, sizeof m);
  memset(r, 0, sizeof r);
  if (model_mbstowcs(m, "narrow", 8) != mbstowcs(r, "narrow", 8) || memcmp(m, r, sizeof m) != 0 ||
      model_mbstowcs(m, "\xff", 8) != (size_t)-1)
    differ("mbstowcs", "fixed");
}

/* Command lines made of a few arguments, with glibc told to behave as POSIX says. */
static void compare_options(void) {
  static char *const words[] = {"-a", "-b", "-bvalue", "-ab", "-x", "-", "--", "plain", "-av", "-ba"};
  opterr = model_opterr = 0;
  for (unsigned i = 0; i < rounds; i++) {
    char *arguments[6] = {"program"};
    int count = 1 + (int)random_below(5);
    for (int j = 1; j < count; j++)
      arguments[j] = words[random_below(10)];
    optind = 0;
    model_optind = 1;
    for (int result = 0; result != -1;) {
      result = getopt(count, arguments, i % 2 ? "+:ab:v" : "+ab:v");
      int model = model_getopt(count, arguments, i % 2 ? ":ab:v" : "ab:v");
      if (result != model || optind != model_optind || optarg != model_optarg ||
          ((result == '?' || result == ':') && optopt != model_optopt)) {
        differ("getopt", "%s %s: %d, not %d", count > 1 ? arguments[1] : "",
               count > 2 ? arguments[2] : "", model, result);
        return;
      }
    }
  }
}

void compare_parts_of_things(void) {
  compare_parts();
  compare_calendar();
  compare_wide();
  compare_options();
}
