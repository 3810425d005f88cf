// A line may be empty up to its first byte: a zero byte is read like any other.
// check:   assertions memory-safety undefined
// expect:  unsafe array-bounds @ line 13
// engines: bmc
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[8];
  if (fgets(line, sizeof line, stdin) == NULL)
    return 0;
  size_t length = strlen(line);
  line[length - 1] = 0;
  return 0;
}
