// The end is known only after a read has failed.
// check:   assertions
// expect:  unsafe assertion @ line 12
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int sum = 0, last = 0;
  for (int i = 0; i < 2 && !feof(stdin); i++)
    last = getchar();
  assert(last + sum >= 0);
  return 0;
}
