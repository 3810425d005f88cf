// SeaHorn's `sea_free`, where the program does not define it, frees.
// check:   memory-safety
// expect:  safe
// engines: bmc run
#include <stdlib.h>

extern void sea_free(char *);

int main(void) {
  int *a = malloc(sizeof *a);
  *a = 3;
  sea_free((char *)a);
  return 0;
}
