// Counts the words of standard input by their length; a long word has no counter.
// check:   assertions,memory-safety,integer-overflow,undefined
// expect:  unsafe array-bounds @ line 18
// engines: bmc
#include <ctype.h>
#include <stdio.h>

enum { LONGEST = 6 };

int main(void) {
  int by_length[LONGEST] = {0};
  int words = 0, length = 0, c;
  while ((c = getchar()) != EOF) {
    if (!isspace(c)) {
      length++;
    } else if (length > 0) {
      words++;
      by_length[length]++;
      length = 0;
    }
  }
  for (int i = 1; i < LONGEST; i++)
    printf("%d words of %d letters\n", by_length[i], i);
  printf("%d words\n", words);
  return 0;
}
