// The numbers of a line are in it.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  char line[8];
  int a = 0, b = 0;
  if (fgets(line, sizeof line, stdin) == NULL)
    return 0;
  int count = sscanf(line, "%d-%d", &a, &b);
  assert(count < 2 || (a <= 99999 && b <= 99999));
  return 0;
}
