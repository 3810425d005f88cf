// A file may not be there.
// check:   assertions memory-safety undefined
// expect:  unsafe library-precondition @ line 9
// engines: bmc
#include <stdio.h>

int main(void) {
  FILE *file = fopen("settings", "r");
  int c = fgetc(file);
  return c == EOF;
  return 0;
}
