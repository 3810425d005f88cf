// The size that is passed is not that of the buffer.
// check:   assertions memory-safety undefined
// expect:  unsafe out-of-bounds @ line 9
// engines: bmc
#include <stdio.h>

int main(void) {
  char line[6];
  if (fgets(line, 16, stdin) != NULL)
    puts(line);
  return 0;
}
