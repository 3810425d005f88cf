// The newline is taken away where there is one.
// check:   assertions memory-safety undefined
// expect:  safe
// engines: bmc
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[8];
  if (fgets(line, sizeof line, stdin) == NULL)
    return 0;
  size_t length = strlen(line);
  if (length > 0 && line[length - 1] == '\n')
    line[length - 1] = 0;
  return 0;
}
