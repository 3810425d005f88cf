// There may be no line, and then its length is no index.
// check:   assertions memory-safety undefined
// expect:  unsafe out-of-bounds @ line 13
// engines: bmc
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *line = NULL;
  size_t capacity = 0;
  ssize_t length = getline(&line, &capacity, stdin);
  line[length - 1] = 0;
  free(line);
  return 0;
}
