// The end of an array, as a number and back, is still the end of this array, whatever lies there.
// check:   assertions memory-safety
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  char a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8};
  uintptr_t end = (uintptr_t)(a + 4), other = (uintptr_t)b;
  char *last = (char *)end, *first = (char *)other;
  int sum = 0;
  for (char *p = a; p != last; p++)
    sum += *p;
  assert(sum == 10 && last[-1] == 4 && first[0] == 5);
  return 0;
}
