// The loop ends at the read that fails.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int sum = 0, last = 0;
  for (int i = 0; i < 2; i++) {
    int c = getchar();
    if (c == EOF)
      break;
    last = c;
  }
  sum += last;
  assert(last + sum >= 0);
  return 0;
}
