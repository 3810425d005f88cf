// SeaHorn's `sea_free`, where the program does not define it, frees.
// check:   memory-safety
// expect:  unsafe use-after-free @ line 12
// engines: bmc run
#include <stdlib.h>

extern void sea_free(char *);

int main(void) {
  int *a = malloc(sizeof *a);
  sea_free((char *)a);
  *a = 3;
  return 0;
}
