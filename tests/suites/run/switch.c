// Switches: dense, sparse, ranges, fall-through, on characters, long values and no default.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 0 10 11 102 103 4 0 -6 -7 -8 -9 0 
// stdout: low top a other
// stdout: 7 8

#include <stdio.h>

static int dense(int x) {
  switch (x) {
  case 0: return 10;
  case 1: return 11;
  case 2:
  case 3: x += 100;
  /* fall through */
  case 4: return x;
  case 6 ... 9: return -x;
  default: return 0;
  }
}

static const char *sparse(long long x) {
  switch (x) {
  case -5000000000LL: return "low";
  case 0x7fffffffffffffffLL: return "top";
  case 'a': return "a";
  }
  return "other";
}

/* The loop is entered in its middle. */
static int unrolled(int count) {
  int steps = 0, rounds = (count + 3) / 4;
  switch (count % 4) {
  case 0:
    do {
      steps++;
    case 3: steps++;
    case 2: steps++;
    case 1: steps++;
    } while (--rounds > 0);
  }
  return steps;
}

int main(void) {
  for (int i = -1; i < 11; i++)
    printf("%d ", dense(i));
  printf("\n%s %s %s %s\n", sparse(-5000000000LL), sparse(0x7fffffffffffffffLL), sparse('a'),
         sparse(0));
  printf("%d %d\n", unrolled(7), unrolled(8));
  return 0;
}
