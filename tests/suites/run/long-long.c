// Sixty-four bit arithmetic: products, shifts, division and comparison at the limits.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 123456789012000 -1249 98764444 123555554444
// stdout: cbf29ce484222325 ec08c5345cf4a10e
// stdout: 9223372036854775807 -9223372036854775808 1
// stdout: -12345679 15
// stdout: 5534023222112865483

#include <limits.h>
#include <stdio.h>

static unsigned long long hash(const char *s) {
  unsigned long long h = 14695981039346656037ull;
  for (; *s; s++)
    h = (h ^ (unsigned char)*s) * 1099511628211ull;
  return h;
}

int main(void) {
  long long a = 123456789012LL, b = -98765432LL;
  printf("%lld %lld %lld %lld\n", a * 1000, a / b, a % b, a - b);
  printf("%llx %llx\n", hash(""), hash("foghorn"));
  printf("%lld %lld %d\n", LLONG_MAX, LLONG_MIN, LLONG_MIN < LLONG_MAX);
  printf("%lld %llu\n", b >> 3, (unsigned long long)b >> 60);
  printf("%llu\n", ~0ull / 10 * 3);
  return 0;
}
