// Compound literals: arrays, structs, addresses, as arguments, at file scope.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 11 25
// stdout: 10 11
// stdout: 6 ok

#include <stdio.h>

struct point {
  int x, y;
};

static struct point *origin = &(struct point){10, 20};
static int *numbers = (int[]){1, 2, 3, 4};

static int norm(struct point p) { return p.x * p.x + p.y * p.y; }
static int sum(const int *v, int n) { return n == 0 ? 0 : v[0] + sum(v + 1, n - 1); }

int main(void) {
  origin->x++;
  printf("%d %d\n", origin->x, norm((struct point){.y = 3, .x = 4}));
  printf("%d %d\n", sum(numbers, 4), sum((int[5]){[1] = 5, 6}, 5));
  int total = 0;
  for (int i = 0; i < 3; i++) {
    int *cell = &(int){i};
    *cell *= 2;
    total += *cell;
  }
  printf("%d %s\n", total, (char[]){'o', 'k', 0});
  return 0;
}
