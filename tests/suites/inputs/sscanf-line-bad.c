// A line may hold any two numbers.
// check:   assertions
// expect:  unsafe assertion @ line 14
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  char line[8];
  int a = 0, b = 0;
  if (fgets(line, sizeof line, stdin) == NULL)
    return 0;
  int count = sscanf(line, "%d-%d", &a, &b);
  assert(a != 12 || b != 34);
  return 0;
}
