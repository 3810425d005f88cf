// A word may be longer than the buffer.
// check:   assertions memory-safety undefined
// expect:  unsafe out-of-bounds @ line 9
// engines: bmc
#include <stdio.h>

int main(void) {
  char word[6];
  if (scanf("%s", word) == 1)
    puts(word);
  return 0;
}
