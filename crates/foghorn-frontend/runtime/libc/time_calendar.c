/* <time.h>: calendar time. The Gregorian calendar is computed; the local zone is any multiple of a
 * quarter of an hour within 14 hours of UTC, without summer time, chosen anew by each call. */
#include "foghorn_time.h"

enum { DAY = 86400, DAYS_OF_400_YEARS = 146097 };

/* The calendar is counted in years that begin in March, so that the leap day comes last. */
static const int days_before_month[12] = {0, 31, 61, 92, 122, 153, 184, 214, 245, 275, 306, 337};

static long long floor_divide(long long a, long long b) {
  return a / b - (a % b < 0 ? 1 : 0);
}

static long long days_before_year(long long year) {
  return 365 * year + floor_divide(year, 4) - floor_divide(year, 100) + floor_divide(year, 400);
}

/* Days from 1970-01-01 to the first of a month (0 … 11) of a year. */
static long long days_to_month(long long year, int month) {
  long long march_year = month < 2 ? year - 1 : year;
  int march_month = month < 2 ? month + 10 : month - 2;
  return days_before_year(march_year) + days_before_month[march_month] - 719468;
}

static void set_date(struct tm *t, long long days) {
  long long shifted = days + 719468;
  long long year = floor_divide(shifted * 400, DAYS_OF_400_YEARS);
  while (days_before_year(year + 1) <= shifted)
    year++;
  while (days_before_year(year) > shifted)
    year--;
  int day = (int)(shifted - days_before_year(year));
  int month = 11;
  while (days_before_month[month] > day)
    month--;
  t->tm_mday = day - days_before_month[month] + 1;
  t->tm_mon = month < 10 ? month + 2 : month - 10;
  if (t->tm_mon < 2)
    year++;
  t->tm_year = (int)(year - 1900);
  t->tm_yday = (int)(days - days_to_month(year, 0));
  t->tm_wday = (int)(days + 4 - 7 * floor_divide(days + 4, 7));
}

static struct tm *break_down(long long seconds, struct tm *t) {
  long long days = floor_divide(seconds, DAY);
  int rest = (int)(seconds - days * DAY);
  set_date(t, days);
  t->tm_hour = rest / 3600;
  t->tm_min = rest / 60 % 60;
  t->tm_sec = rest % 60;
  t->tm_isdst = 0;
  t->tm_gmtoff = 0;
  t->tm_zone = "GMT";
  return t;
}

static long zone_offset(void) {
  int quarters = __foghorn_nondet_int();
  __foghorn_assume(quarters >= -56 && quarters <= 56);
  return quarters * 900L;
}

struct tm *gmtime_r(const time_t *t, struct tm *result) { return break_down(*t, result); }

struct tm *localtime_r(const time_t *t, struct tm *result) {
  long offset = zone_offset();
  break_down((long long)*t + offset, result);
  result->tm_gmtoff = offset;
  result->tm_zone = "LOC";
  return result;
}

static struct tm shared;

struct tm *gmtime(const time_t *t) { return gmtime_r(t, &shared); }

struct tm *localtime(const time_t *t) { return localtime_r(t, &shared); }

/* Members outside their ranges are brought into them, as C asks. */
time_t timegm(struct tm *t) {
  long long months = (long long)t->tm_year * 12 + t->tm_mon;
  long long year = floor_divide(months, 12) + 1900;
  long long days = days_to_month(year, (int)(months - (year - 1900) * 12)) + t->tm_mday - 1;
  long long seconds = days * DAY + t->tm_hour * 3600LL + t->tm_min * 60LL + t->tm_sec;
  break_down(seconds, t);
  return (time_t)seconds;
}

time_t mktime(struct tm *t) { return timegm(t) - zone_offset(); }

static char *two_digits(char *to, int value, char padding) {
  to[0] = value < 10 ? padding : (char)('0' + value / 10 % 10);
  to[1] = (char)('0' + value % 10);
  return to + 2;
}

static char *three_letters(char *to, const char *names, int i) {
  __builtin_memcpy(to, names + 3 * i, 3);
  return to + 3;
}

/* "Www Mmm dd hh:mm:ss yyyy\n"; members out of range are undefined behaviour. */
char *asctime_r(const struct tm *t, char *to) {
  char *start = to;
  __foghorn_check_library(t->tm_wday >= 0 && t->tm_wday < 7 && t->tm_mon >= 0 && t->tm_mon < 12 &&
                          t->tm_year >= -900 && t->tm_year < 8100);
  to = three_letters(to, "SunMonTueWedThuFriSat", t->tm_wday);
  *to++ = ' ';
  to = three_letters(to, "JanFebMarAprMayJunJulAugSepOctNovDec", t->tm_mon);
  *to++ = ' ';
  to = two_digits(to, t->tm_mday, ' ');
  *to++ = ' ';
  to = two_digits(to, t->tm_hour, '0');
  *to++ = ':';
  to = two_digits(to, t->tm_min, '0');
  *to++ = ':';
  to = two_digits(to, t->tm_sec, '0');
  *to++ = ' ';
  to = two_digits(to, (t->tm_year + 1900) / 100, '0');
  to = two_digits(to, (t->tm_year + 1900) % 100, '0');
  *to++ = '\n';
  *to = 0;
  return start;
}

char *asctime(const struct tm *t) {
  static char text[26];
  return asctime_r(t, text);
}

char *ctime_r(const time_t *t, char *to) {
  struct tm broken;
  return asctime_r(localtime_r(t, &broken), to);
}

char *ctime(const time_t *t) { return asctime(localtime(t)); }

/* Any text that fits, since its words are the locale's. */
size_t strftime(char *to, size_t capacity, const char *format, const struct tm *t) {
  while (*format != 0)
    format++;
  __foghorn_check_library(__foghorn_is_dereferenceable(t, sizeof *t));
  if (capacity == 0)
    return 0;
  size_t n = __foghorn_nondet_size();
  __foghorn_assume(n < capacity);
  __foghorn_havoc(to, n);
  to[n] = 0;
  return n;
}

void tzset(void) {}
