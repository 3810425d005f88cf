// Allocates room for the text but not for its terminator.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 15
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>

int main(void) {
  const char text[] = "heap";
  char *copy = malloc(4);
  if (copy == NULL)
    return 1;
  for (int i = 0; i < 5; i++)
    copy[i] = text[i];
  free(copy);
  return 0;
}
