// A character from outside is any character.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: bmc horn
// horn:    unknown   FIXME: what a stream holds at the start is not known
#include <assert.h>
#include <stdio.h>
int main(void) {
  char read;
  if (scanf("%c", &read) != 1) {
    return 0;
  }
  assert(read != 'x');
  return 0;
}
