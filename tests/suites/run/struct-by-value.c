// Structs of many sizes as arguments and results.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 6 13 22 33 46 78 97 118 193 286 321 358 673 1222 4353 
// stdout: 9.0 2 231 16.0 21.0

#include <stdio.h>

#define SIZED(n)                                                                                   \
  struct s##n {                                                                                    \
    unsigned char b[n];                                                                            \
  };                                                                                               \
  static struct s##n next##n(struct s##n s, int by) {                                              \
    for (int i = 0; i < n; i++)                                                                    \
      s.b[i] = (unsigned char)(s.b[i] + by + i);                                                   \
    return s;                                                                                      \
  }                                                                                                \
  static int total##n(struct s##n s) {                                                             \
    int t = 0;                                                                                     \
    for (int i = 0; i < n; i++)                                                                    \
      t += s.b[i];                                                                                 \
    return t;                                                                                      \
  }

SIZED(1) SIZED(2) SIZED(3) SIZED(4) SIZED(5) SIZED(7) SIZED(8) SIZED(9) SIZED(12) SIZED(15) SIZED(16)
SIZED(17) SIZED(24) SIZED(33) SIZED(64)

struct mixed {
  double d;
  int i;
};
struct floats {
  float a, b, c;
};
struct two_doubles {
  double a, b;
};
struct empty {};

static struct mixed flip(struct mixed m) { return (struct mixed){m.i, (int)m.d}; }
static struct floats rotate(struct floats f) { return (struct floats){f.b, f.c, f.a}; }
static struct two_doubles sum(struct two_doubles x, struct floats y, struct empty e, int k) {
  (void)e;
  return (struct two_doubles){x.a + y.a * k, x.b + y.c};
}

#define SHOW(n) printf("%d ", total##n(next##n(next##n((struct s##n){{1}}, 2), 3)))

int main(void) {
  SHOW(1), SHOW(2), SHOW(3), SHOW(4), SHOW(5), SHOW(7), SHOW(8), SHOW(9), SHOW(12), SHOW(15);
  SHOW(16), SHOW(17), SHOW(24), SHOW(33), SHOW(64);
  printf("\n");
  struct mixed m = flip((struct mixed){2.75, 9});
  struct floats f = rotate((struct floats){1, 2, 3});
  struct two_doubles t = sum((struct two_doubles){10, 20}, f, (struct empty){}, 3);
  printf("%.1f %d %.0f%.0f%.0f %.1f %.1f\n", m.d, m.i, f.a, f.b, f.c, t.a, t.b);
  return 0;
}
