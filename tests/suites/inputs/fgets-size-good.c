// The size that is passed is that of the buffer.
// check:   assertions memory-safety undefined
// expect:  safe
// engines: bmc
#include <stdio.h>

int main(void) {
  char line[6];
  if (fgets(line, sizeof line, stdin) != NULL)
    puts(line);
  return 0;
}
