// What fgets gives ends within the buffer.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[6];
  if (fgets(line, sizeof line, stdin) == NULL)
    return 0;
  assert(strlen(line) <= 5);
  return 0;
}
