// The classes of characters in the C locale.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// stdout: 52 10 62 6 26 26 32 95 33 22 26 26 Qq

#include <ctype.h>
#include <stdio.h>

int main(void) {
  int counts[12] = {0};
  for (int c = 0; c < 128; c++) {
    counts[0] += !!isalpha(c);
    counts[1] += !!isdigit(c);
    counts[2] += !!isalnum(c);
    counts[3] += !!isspace(c);
    counts[4] += !!isupper(c);
    counts[5] += !!islower(c);
    counts[6] += !!ispunct(c);
    counts[7] += !!isprint(c);
    counts[8] += !!iscntrl(c);
    counts[9] += !!isxdigit(c);
    counts[10] += toupper(c) != c;
    counts[11] += tolower(c) != c;
  }
  for (int i = 0; i < 12; i++)
    printf("%d ", counts[i]);
  printf("%c%c\n", toupper('q'), tolower('Q'));
  return 0;
}
