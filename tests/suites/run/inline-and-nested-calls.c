// Inline functions in both styles, and calls as arguments of calls.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 9
// stdout: 8

#include <stdio.h>

static inline int square(int x) { return x * x; }
inline int cube(int x) { return x * x * x; }
extern int cube(int x);
static inline __attribute__((always_inline)) int clamp(int x, int low, int high) {
  return x < low ? low : x > high ? high : x;
}
extern inline __attribute__((gnu_inline)) int doubled(int x) { return 2 * x; }
int doubled(int x) { return x + x; }
static __attribute__((noinline)) int max(int a, int b) { return a > b ? a : b; }

int main(void) {
  printf("%d\n", max(square(max(2, 3)), cube(clamp(7, 0, 2))));
  printf("%d\n", doubled(max(max(1, max(4, 2)), 3)));
  return 0;
}
