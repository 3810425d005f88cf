// Continues a tokenisation that never began.
// check:     memory-safety
// expect:    unsafe library-precondition @ line 12
// engines:   run bmc
// sanitizer: address

#include <string.h>

int main(void) {
  char text[] = "a b";
  char *token = 0;
  token = strtok(token, " ");
  return token == 0 || text[0] != 'a';
}
