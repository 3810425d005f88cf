// What has ended stays so.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int c = getchar();
  assert(c != EOF || getchar() == EOF);
  return 0;
}
