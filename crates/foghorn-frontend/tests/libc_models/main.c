/* Compares the libc models with the C library of this machine on random inputs. */
#include "shim.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

unsigned rounds = 2000;
static uint64_t state = 88172645463325252u;
static unsigned differences;

static uint64_t next(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

unsigned random_below(unsigned bound) { return (unsigned)((next() >> 32) % bound); }

/* Of any magnitude, and often at a limit of some type. */
long long random_integer(void) {
  static const long long limits[] = {0,       1,        -1,        127,       -128,      255,
                                     32767,   -32768,   65535,     INT32_MAX, INT32_MIN, UINT32_MAX,
                                     INT64_MAX, INT64_MIN, 10, 8, 16};
  if (random_below(4) == 0)
    return limits[random_below(sizeof limits / sizeof *limits)];
  return (long long)(next() >> random_below(64)) * (random_below(2) ? 1 : -1);
}

void differ(const char *what, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(stderr, "%s differs: ", what);
  vfprintf(stderr, format, list);
  fprintf(stderr, "\n");
  va_end(list);
  if (++differences == 20)
    exit(1);
}

int main(int argc, char **argv) {
  if (argc > 1)
    rounds = (unsigned)strtoul(argv[1], NULL, 10);
  compare_strings();
  compare_numbers();
  compare_formats();
  compare_scans();
  compare_parts_of_things();
  compare_rest();
  expect_failures();
  printf("libc models: %u differences in %u rounds\n", differences, rounds);
  return differences != 0;
}
