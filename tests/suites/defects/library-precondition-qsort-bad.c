// Sorts more elements than the array has.
// check:     memory-safety
// expect:    unsafe library-precondition @ line 16
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

static int ascending(const void *left, const void *right) {
  return (*(const int *)left > *(const int *)right) - (*(const int *)left < *(const int *)right);
}

int main(void) {
  int values[3] = {3, 1, 2};
  size_t count = sizeof values;
  qsort(values, count, sizeof *values, ascending);
  return values[0] != 1;
}
