// Repaired twin of: continues a tokenisation that never began.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <string.h>

int main(void) {
  char text[] = "a b";
  char *token = text;
  token = strtok(token, " ");
  return token == 0 || text[0] != 'a';
}
