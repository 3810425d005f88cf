// Copies words from standard input, one a line, and counts lines.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdin:   42 lighthouse and more
// stdin:   second line
// stdin:   third
// stdout: 42 lighthouse
// stdout: 9
// stdout: second line
// stdout: third1

#include <stdio.h>

int main(void) {
  int value, c, n = 0;
  char word[16], line[16];
  if (scanf("%d %15s", &value, word) == 2)
    printf("%d %s\n", value, word);
  while ((c = getchar()) != EOF && c != '\n')
    n++;
  printf("%d\n", n);
  while (fgets(line, sizeof line, stdin))
    fputs(line, stdout);
  printf("%d\n", feof(stdin) != 0);
  return 0;
}
