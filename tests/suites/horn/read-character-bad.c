// A character from outside is any character. What the stream holds at the start is known, although the library's
// functions are handed the middle of the table of streams.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: bmc horn
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
