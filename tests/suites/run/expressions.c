// Order, short circuits, commas, conditional operators, side effects and sizeof.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 2
// stdout: 7 2 14
// stdout: 8 10 20
// stdout: 8 9
// stdout: 0 1 -2
// stdout: 4 4
// stdout: 225
// stdout: 64

#include <stdio.h>

static int calls;
static int yes(void) { return ++calls; }

int main(void) {
  int a = 5, b = 3, *p = &a;
  int array[4] = {0, 10, 20, 30}, i = 1;
  (void)(0 && yes());
  (void)(1 || yes());
  (void)(1 && yes());
  (void)(0 || yes());
  printf("%d\n", calls);
  a += b -= 1;
  printf("%d %d %d\n", a, b, (a > b ? a : b, a * b));
  *p++;
  p--;
  ++*p;
  int tenth = array[i++];
  printf("%d %d %d\n", *p, tenth, i[array]);
  printf("%d %d\n", a ?: 9, 0 ?: 9);
  printf("%d %d %d\n", !a, !!a, -a % 3);
  printf("%zu %zu\n", sizeof(array) / sizeof *array, sizeof(i++));
  i <<= 3, i |= 1, i ^= 0xf0, i &= ~2;
  printf("%d\n", i);
  printf("%d\n", ({ int t = a; t * t; }));
  return 0;
}
