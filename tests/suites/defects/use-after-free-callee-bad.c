// A function that looks like a reader also releases its argument.
// check:     memory-safety
// expect:    unsafe use-after-free @ line 21
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

static int consume(int *value) {
  int result = *value;
  free(value);
  return result;
}

int main(void) {
  int *value = malloc(sizeof *value);
  if (value == NULL)
    return 1;
  *value = 4;
  int first = consume(value);
  return first + *value != 8;
}
