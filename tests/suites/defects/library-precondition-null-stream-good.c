// Repaired twin of: writes to a stream that is null, as fopen returns it.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <stdio.h>

static void report(FILE *log, const char *text) {
  fputs(text, log);
}

int main(void) {
  FILE *log = NULL;
  log = stdout;
  report(log, "report\n");
  return 0;
}
