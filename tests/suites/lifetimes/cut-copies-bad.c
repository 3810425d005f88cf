// Copies at two distances that cut a word.
// check:   assertions
// expect:  unsafe assertion @ line 15
// engines: run bmc

#include <assert.h>
#include <string.h>

int main(void) {
  unsigned char b[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  unsigned v;
  memcpy(&v, b + 1, 4);
  v = ~0u;
  memcpy(b + 3, &v, 3);
  assert(b[5] == 255 && b[6] == 255);
  return 0;
}
