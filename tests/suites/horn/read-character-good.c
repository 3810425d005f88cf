// A character that was read was written: a number of characters that were read is 1 or none was read.
// check:   assertions
// expect:  safe
// engines: bmc horn
#include <assert.h>
#include <stdio.h>
int main(void) {
  char read = 'a';
  if (scanf("%c", &read) == 1) {
    return 0;
  }
  assert(read == 'a');
  return 0;
}
