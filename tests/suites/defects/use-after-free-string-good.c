// Repaired twin of: compares a string after the table that held it was released.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>
#include <string.h>

int main(void) {
  char *word = strdup("fog");
  if (word == NULL)
    return 1;
  int equal = strcmp(word, "fog") == 0;
  free(word);
  return !equal;
}
