// Jumps out of nested loops, backwards, and into a cleanup chain.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 21 607 -1
// stdout: 3 32 49

#include <stdio.h>

static int find(int wanted) {
  int i, j;
  for (i = 0; i < 10; i++)
    for (j = 0; j < 10; j++)
      if (i * j == wanted)
        goto found;
  return -1;
found:
  return i * 100 + j;
}

static int stages(int fail_at) {
  int done = 0;
  if (fail_at == 1)
    goto first;
  done |= 1;
  if (fail_at == 2)
    goto second;
  done |= 2;
  return done;
second:
  done |= 16;
first:
  done |= 32;
  return done;
}

int main(void) {
  int n = 0;
again:
  n += 3;
  if (n < 20)
    goto again;
  printf("%d %d %d\n", n, find(42), find(97));
  printf("%d %d %d\n", stages(0), stages(1), stages(2));
  return 0;
}
