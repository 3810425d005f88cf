// Removes the first character of a string by copying it over itself.
// check:     memory-safety
// expect:    unsafe overlap @ line 15
// engines:   run bmc
// sanitizer: address

#include <stdlib.h>
#include <string.h>

int main(void) {
  char *text = malloc(8);
  if (text == NULL)
    return 1;
  strcpy(text, "xabc");
  strcpy(text, text + 1);
  int wrong = text[0] != 'a';
  free(text);
  return wrong;
}
