// exit ends the program from the depth of a call, after the handlers.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// exit:    3
// stdout: release scope
// stdout: s
// stdout: finish

#include <stdio.h>
#include <stdlib.h>

static void release(char **p) {
  printf("release %s\n", *p);
  free(*p);
}

static void finish(void) { puts("finish"); }

static void deep(int n) {
  if (n == 0)
    exit(3);
  deep(n - 1);
}

static int scoped(void) {
  __attribute__((cleanup(release))) char *p = malloc(8);
  if (p == NULL)
    return 1;
  snprintf(p, 8, "scope");
  return p[0];
}

int main(void) {
  atexit(finish);
  printf("%c\n", scoped());
  deep(5);
  return 0;
}
