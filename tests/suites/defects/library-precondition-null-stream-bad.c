// Writes to a stream that is null, as fopen returns it.
// check:     memory-safety
// expect:    unsafe library-precondition @ line 10
// engines:   run bmc
// sanitizer: address

#include <stdio.h>

static void report(FILE *log, const char *text) {
  fputs(text, log);
}

int main(void) {
  FILE *log = NULL;
  report(log, "report\n");
  return 0;
}
