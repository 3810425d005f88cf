// Bit-fields of several widths: packing, sign, wrap-around and zero width.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 1 -6 0 fffffffffe 1 0 16
// stdout: 1 -2 1 123456789a 1 -1
// stdout: 0 7 1 0 0 0
// stdout: 7 6

#include <stdio.h>

struct flags {
  unsigned a : 3;
  int b : 4;
  unsigned : 0;
  unsigned c : 1;
  unsigned long long d : 40;
  _Bool e : 1;
  signed char f : 2;
};

static struct flags table[2] = {{1, -2, 1, 0x123456789aull, 1, -1}, {.c = 1, .b = 7}};

int main(void) {
  struct flags s = {0};
  s.a = 9;
  s.b = 7;
  s.b += 3;
  s.d = ~0ull;
  s.d -= 1;
  s.e = 5;
  s.f = 1;
  s.f--;
  printf("%u %d %u %llx %d %d %zu\n", s.a, s.b, s.c, (unsigned long long)s.d, s.e, s.f, sizeof s);
  for (int i = 0; i < 2; i++)
    printf("%u %d %u %llx %d %d\n", table[i].a, table[i].b, table[i].c,
           (unsigned long long)table[i].d, table[i].e, table[i].f);
  struct flags *p = &table[1];
  p->a = p->b--;
  printf("%u %d\n", p->a, p->b);
  return 0;
}
