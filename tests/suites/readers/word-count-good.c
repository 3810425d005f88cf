// Counts the words of standard input by their length; long words share the last counter.
// check:   assertions memory-safety integer-overflow undefined
// expect:  safe
// engines: verify
#include <ctype.h>
#include <stdio.h>

enum { LONGEST = 6 };

int main(void) {
  unsigned by_length[LONGEST] = {0};
  unsigned words = 0, length = 0;
  int c;
  while ((c = getchar()) != EOF) {
    if (!isspace(c)) {
      length++;
    } else if (length > 0) {
      words++;
      by_length[length < LONGEST ? length : LONGEST - 1]++;
      length = 0;
    }
  }
  for (unsigned i = 1; i < LONGEST; i++)
    printf("%u words of %u letters\n", by_length[i], i);
  printf("%u words\n", words);
  return 0;
}
