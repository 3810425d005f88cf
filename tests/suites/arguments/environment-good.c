// Walks over the environment, which ends in a null.
// check:   assertions memory-safety
// expect:  safe
// engines: run
#include <assert.h>

extern char **environ;

int main(void) {
  int entries = 0;
  for (char **entry = environ; *entry != 0; entry++)
    entries++;
  assert(entries >= 0);
  return 0;
}
