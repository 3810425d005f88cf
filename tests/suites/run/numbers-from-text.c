// strtol, strtoul, atoi, strtod and sscanf.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: -42 abc 31 63 1295
// stdout: 1 1 1
// stdout: 123 2.718 100.0
// stdout: 4 10 20 hello !
// stdout: 1 255
// stdout: 5 2 7

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *end;
  printf("%ld ", strtol("  -42abc", &end, 10));
  printf("%s %ld %ld %ld\n", end, strtol("0x1F", NULL, 0), strtol("077", NULL, 0), strtol("zz", NULL, 36));
  errno = 0;
  long big = strtol("99999999999999999999", NULL, 10);
  printf("%d %d %lu\n", big == LONG_MAX, errno == ERANGE, strtoul("-1", NULL, 10) == ULONG_MAX ? 1ul : 0ul);
  printf("%d %.3f %.1f\n", atoi("123x"), atof("2.718"), strtod("1e2rest", &end));
  int a, b, n;
  char word[8], c;
  n = sscanf("10-20 hello, !", "%d-%d %7[a-z], %c", &a, &b, word, &c);
  printf("%d %d %d %s %c\n", n, a, b, word, c);
  n = sscanf("ff z", "%x %d", &a, &b);
  printf("%d %d\n", n, a);
  printf("%d %d %ld\n", abs(-5), div(17, 5).rem, labs(-7L));
  return 0;
}
