// A variable stays what it is as long as nobody changes it, and then it is what it was changed to.
// check:   memory-safety assertions
// expect:  safe
// engines: run bmc
#include <assert.h>
#include <stdlib.h>

int main(void) {
  char *editor = getenv("EDITOR");
  assert(getenv("EDITOR") == editor);
  assert(setenv("EDITOR", "ed", 1) == 0);
  char *now = getenv("EDITOR");
  assert(now != NULL && now[0] == 'e' && now[1] == 'd' && now[2] == 0);
  assert(unsetenv("EDITOR") == 0);
  assert(getenv("EDITOR") == NULL);
  return 0;
}
