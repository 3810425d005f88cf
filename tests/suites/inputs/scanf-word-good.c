// A word has a width.
// check:   assertions memory-safety undefined
// expect:  safe
// engines: bmc
#include <stdio.h>

int main(void) {
  char word[6];
  if (scanf("%5s", word) == 1)
    puts(word);
  return 0;
}
