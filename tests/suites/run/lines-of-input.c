// Reads lines of any length and numbers from standard input.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdin:   1 2 3
// stdin:   40 -5
// stdin:   600
// stdout: 6 6
// stdout: 6 41
// stdout: 3 641

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *line = NULL;
  size_t capacity = 0;
  ssize_t n;
  long total = 0;
  while ((n = getline(&line, &capacity, stdin)) > 0) {
    char *cursor = line;
    for (;;) {
      char *end;
      long value = strtol(cursor, &end, 10);
      if (end == cursor)
        break;
      total += value;
      cursor = end;
    }
    printf("%zd %ld\n", n, total);
  }
  free(line);
  return 0;
}
