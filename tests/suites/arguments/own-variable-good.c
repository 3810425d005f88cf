// putenv makes the program's own text part of the environment.
// check:   memory-safety assertions
// expect:  safe
// engines: run bmc
#include <assert.h>
#include <stdlib.h>

int main(void) {
  static char text[] = "MODE=a";
  assert(putenv(text) == 0);
  char *mode = getenv("MODE");
  assert(mode == text + 5);
  text[5] = 'b';
  assert(getenv("MODE")[0] == 'b');
  return 0;
}
