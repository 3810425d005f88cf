// Frees a member that is embedded in its struct.
// check:     memory-safety
// expect:    unsafe invalid-free @ line 19
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

struct item {
  int id;
  char name[8];
};

int main(void) {
  struct item *item = calloc(1, sizeof *item);
  if (item == NULL)
    return 1;
  char *name = item->name;
  free(name);
  return 0;
}
