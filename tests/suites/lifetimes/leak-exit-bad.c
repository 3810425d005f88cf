// What nothing leads to when the program calls exit.
// check:   memory-leak
// expect:  unsafe leak @ line 9
// engines: run bmc

#include <stdlib.h>

static int make(void) {
  int *lost = malloc(sizeof *lost);
  return lost != NULL;
}

int main(void) {
  if (make())
    exit(0);
  return 0;
}
