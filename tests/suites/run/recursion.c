// Mutual and deep recursion, with arrays and pointers to callers' locals.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 1 1 9 1275 4

#include <stdio.h>

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0)
    return n + 1;
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

struct frame {
  const struct frame *caller;
  int value;
};

static int chain(const struct frame *caller, int n) {
  struct frame own = {caller, n};
  if (n > 0)
    return chain(&own, n - 1);
  int sum = 0;
  for (const struct frame *f = &own; f; f = f->caller)
    sum += f->value;
  return sum;
}

static int queens(int row, unsigned columns, unsigned left, unsigned right) {
  int count = 0;
  if (row == 6)
    return 1;
  for (int i = 0; i < 6; i++) {
    unsigned bit = 1u << i;
    if (!((columns | left | right) & bit))
      count += queens(row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}

int main(void) {
  printf("%d %d %u %d %d\n", is_even(100), is_odd(7), ackermann(2, 3), chain(0, 50),
         queens(0, 0, 0, 0));
  return 0;
}
