// Prints a null string with %s.
// check:     memory-safety
// expect:    unsafe library-precondition @ line 11
// engines:   run bmc
// sanitizer: none: glibc prints (null)

#include <stdio.h>

int main(void) {
  const char *name = NULL;
  printf("%s\n", name);
  return 0;
}
