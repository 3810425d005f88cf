// Compares a string after the table that held it was released.
// check:     memory-safety
// expect:    unsafe use-after-free @ line 15
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>
#include <string.h>

int main(void) {
  char *word = strdup("fog");
  if (word == NULL)
    return 1;
  free(word);
  int equal = strcmp(word, "fog") == 0;
  return !equal;
}
