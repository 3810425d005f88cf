// Enumerations: given values, negative ones, as indices, in switches and bit sets.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 61 8 blue
// stdout: -1 0 1 1
// stdout: 2147483649 4

#include <stdio.h>

enum colour { RED, GREEN = 5, BLUE, LAST = BLUE + 2 };
enum sign { NEGATIVE = -1, ZERO, POSITIVE };
enum big { HUGE_VALUE = 0x80000000u, NEXT };

static const char *const names[LAST] = {[RED] = "red", [GREEN] = "green", [BLUE] = "blue"};

static enum sign sign(int x) { return x < 0 ? NEGATIVE : x > 0 ? POSITIVE : ZERO; }

int main(void) {
  int set = 0;
  for (enum colour c = RED; c < LAST; c++)
    if (names[c] != 0)
      set |= 1 << c;
  printf("%x %d %s\n", set, LAST, names[6]);
  printf("%d %d %d %d\n", sign(-9), sign(0), sign(9), sign(-9) < ZERO);
  printf("%u %zu\n", (unsigned)NEXT, sizeof(enum sign));
  return 0;
}
