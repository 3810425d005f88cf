/* <time.h>, <sys/time.h>: the clocks.
 *
 * A clock shows any time from 1970 to the year 36812 (what 32 bits hold, where long has 32); it may
 * go backwards, and the clock of the processor may be unavailable. Sleeping takes no time.
 */
#include "foghorn_time.h"

#define EARLIEST_ERROR (-1)

long __foghorn_library_time(void);
long __foghorn_library_clock(void);
/* Seconds and their parts, for the other clocks. */
long __foghorn_library_seconds(void);
long __foghorn_library_parts(void);

static long possible_time(long now) {
  __foghorn_assume(now >= 0 && (long long)now < 1LL << 40);
  return now;
}

static long seconds_now(void) { return possible_time(__foghorn_library_seconds()); }

static long below(long bound) {
  long value = __foghorn_library_parts();
  __foghorn_assume(value >= 0 && value < bound);
  return value;
}

time_t time(time_t *result) {
  time_t now = possible_time(__foghorn_library_time());
  if (result != NULL)
    *result = now;
  return now;
}

long clock(void) {
  long ticks = __foghorn_library_clock();
  __foghorn_assume(ticks >= EARLIEST_ERROR);
  return ticks;
}

int gettimeofday(struct timeval *now, void *zone) {
  (void)zone;
  now->seconds = seconds_now();
  now->microseconds = below(1000000);
  return 0;
}

int clock_gettime(int clock, struct timespec *now) {
  if (clock < 0) {
    errno = EINVAL;
    return -1;
  }
  now->seconds = seconds_now();
  now->nanoseconds = below(1000000000);
  return 0;
}

int clock_getres(int clock, struct timespec *resolution) {
  if (clock < 0) {
    errno = EINVAL;
    return -1;
  }
  if (resolution != NULL)
    *resolution = (struct timespec){0, 1};
  return 0;
}

int timespec_get(struct timespec *now, int base) {
  return base == 1 && clock_gettime(0, now) == 0 ? base : 0;
}

double difftime(time_t later, time_t earlier) { return (double)later - (double)earlier; }

int nanosleep(const struct timespec *duration, struct timespec *remaining) {
  if (duration->nanoseconds < 0 || duration->nanoseconds > 999999999 || duration->seconds < 0) {
    errno = EINVAL;
    return -1;
  }
  if (!__foghorn_nondet_bool())
    return 0;
  if (remaining != NULL)
    *remaining = *duration;
  errno = EINTR;
  return -1;
}

unsigned sleep(unsigned seconds) {
  unsigned left = __foghorn_nondet_uint();
  __foghorn_assume(left <= seconds);
  return left;
}

int usleep(unsigned microseconds) {
  (void)microseconds;
  return __foghorn_nondet_bool() ? -1 : 0;
}

unsigned alarm(unsigned seconds) {
  (void)seconds;
  return __foghorn_nondet_uint();
}
