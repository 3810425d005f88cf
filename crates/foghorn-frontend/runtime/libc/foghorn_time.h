/* The types of <time.h> and <sys/time.h> as glibc lays them out, and the models' one clock. */
#ifndef FOGHORN_TIME_H
#define FOGHORN_TIME_H

#include "foghorn_intrinsics.h"

typedef long time_t;

struct timeval {
  long seconds, microseconds;
};

struct timespec {
  long seconds, nanoseconds;
};

struct tm {
  int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
  long tm_gmtoff;
  const char *tm_zone;
};

#endif
