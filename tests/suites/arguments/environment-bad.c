// The environment has any number of entries.
// check:     assertions
// expect:    unsafe assertion @ line 13
// engines:   bmc
#include <assert.h>

extern char **environ;

int main(void) {
  int entries = 0;
  for (char **entry = environ; *entry != 0; entry++)
    entries++;
  assert(entries < 3);
  return 0;
}
