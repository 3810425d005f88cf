// Functions as values: tables, parameters, results, members, comparison.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 828 5 1
// stdout: 4.0
// stdout: 12.0

#include <stdio.h>

typedef int binary(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int apply(binary *f, int a, int b) { return f(a, b); }
static binary *choose(char sign) { return sign == '+' ? add : subtract; }

static int (*(*getter)(char))(int, int) = choose;

struct shape {
  double (*area)(const struct shape *);
  double side;
};

static double square(const struct shape *s) { return s->side * s->side; }
static double circle(const struct shape *s) { return 3.0 * s->side * s->side; }

int main(void) {
  binary *table[] = {add, subtract, &add};
  int total = 0;
  for (unsigned i = 0; i < sizeof table / sizeof *table; i++)
    total = total * 10 + apply(table[i], 5, 3);
  printf("%d %d %d\n", total, getter('-')(9, 4), table[0] == table[2]);
  struct shape shapes[] = {{square, 2}, {circle, 2}};
  for (int i = 0; i < 2; i++)
    printf("%.1f\n", shapes[i].area(&shapes[i]));
  return 0;
}
