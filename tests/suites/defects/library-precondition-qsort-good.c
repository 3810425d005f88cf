// Repaired twin of: sorts more elements than the array has.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

static int ascending(const void *left, const void *right) {
  return (*(const int *)left > *(const int *)right) - (*(const int *)left < *(const int *)right);
}

int main(void) {
  int values[3] = {3, 1, 2};
  size_t count = sizeof values / sizeof *values;
  qsort(values, count, sizeof *values, ascending);
  return values[0] != 1;
}
