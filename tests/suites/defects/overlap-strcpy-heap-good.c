// Repaired twin of: removes the first character of a string by copying it over itself.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(8);
  if (text == NULL)
    return 1;
  strcpy(text, "xabc");
  memmove(text, text + 1, strlen(text));
  int wrong = text[0] != 'a';
  free(text);
  return wrong;
}
