// Repaired twin of: counts one struct too many in a heap array of structs.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>

struct point {
  int x, y;
};

static int sum_of_x(const struct point *points, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++)
    sum += points[i].x;
  return sum;
}

int main(void) {
  struct point *points = calloc(3, sizeof *points);
  if (points == NULL)
    return 1;
  int sum = sum_of_x(points, 3);
  free(points);
  return sum;
}
