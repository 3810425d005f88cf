// There was a number where scanf says so.
// check:   assertions memory-safety undefined
// expect:  safe
// engines: bmc
#include <stdio.h>

int main(void) {
  int a[4] = {0}, n = -1;
  if (scanf("%d", &n) != 1 || n < 0 || n > 3)
    return 0;
  printf("%d\n", a[n]);
  return 0;
}
