// Repaired twin of: what a local variable leads to when the program calls exit is no leak; what nothing leads to is.
// check:   memory-leak
// expect:  safe
// engines: run bmc
// bmc:     unknown FIXME: what the stack of a program that calls exit leads to is not followed

#include <stdlib.h>

static int *make(void) {
  int *kept = malloc(sizeof *kept);
  if (kept != NULL)
    exit(0);
  return kept;
}

int main(void) {
  free(make());
  return 0;
}
