// A variable of the environment has any length.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 12
// engines:   bmc
#include <stdlib.h>
#include <string.h>

int main(void) {
  char home[64];
  char *value = getenv("HOME");
  if (value != NULL)
    strcpy(home, value);
  return 0;
}
