// Printing numbers decides nothing.
// check:   assertions
// expect:  safe
// engines: run bmc absint
#include <stdio.h>
void __VERIFIER_assert(int condition);

static int table[4] = {0, 1, 2, 4};

int main(void) {
  for (int i = 0; i < 4; i++)
    printf("%d: %5d\n", i, table[i]);
  __VERIFIER_assert(table[3] == 4);
  return 0;
}
