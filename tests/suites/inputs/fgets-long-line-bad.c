// A line may be longer than the buffer and has no newline then.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: bmc
#include <assert.h>
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[6];
  if (fgets(line, sizeof line, stdin) == NULL)
    return 0;
  assert(strchr(line, '\n') != NULL);
  return 0;
}
