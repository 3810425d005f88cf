// The length of a line is looked at first.
// check:   assertions memory-safety undefined
// expect:  safe
// engines: bmc
// bmc:     unknown FIXME: a line may have any length
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length = getline(&line, &capacity, stdin);
  if (length > 0)
    line[length - 1] = 0;
  free(line);
  return 0;
}
