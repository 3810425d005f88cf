// A variable of the environment is cut to what there is room for.
// check:   memory-safety
// expect:  safe
// engines: run bmc
#include <stdlib.h>
#include <string.h>

int main(void) {
  char home[8];
  char *value = getenv("HOME");
  if (value != NULL) {
    strncpy(home, value, sizeof home - 1);
    home[sizeof home - 1] = 0;
  }
  return 0;
}
