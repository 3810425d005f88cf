// A file that is not there is not read.
// check:   assertions memory-safety undefined
// expect:  safe
// engines: bmc
#include <stdio.h>

int main(void) {
  FILE *file = fopen("settings", "r");
  if (file == NULL)
    return 1;
  int c = fgetc(file);
  fclose(file);
  return c == EOF;
  return 0;
}
