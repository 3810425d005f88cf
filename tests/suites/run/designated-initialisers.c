// Designators, ranges, overriding, nesting, and what they leave zero.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 1 7 z 1
// stdout: 0 4 9 q n
// stdout: 0 10 23 23 0 50 60 

#include <stdio.h>

struct inner {
  int a[3];
  char c;
};
struct outer {
  int before;
  struct inner in[2];
  const char *name;
};

static struct outer global = {.in[1] = {.a = {[2] = 7}, .c = 'z'}, .before = 1};
static int sparse[] = {[5] = 50, 60, [1] = 10, [2 ... 3] = 23};

int main(void) {
  struct outer local = {.name = "n", .in = {[0].a[1] = 4, [0].c = 'q'}, .in[0].a[2] = 9};
  printf("%d %d %c %d\n", global.before, global.in[1].a[2], global.in[1].c, global.name == 0);
  printf("%d %d %d %c %s\n", local.in[0].a[0], local.in[0].a[1], local.in[0].a[2], local.in[0].c,
         local.name);
  for (unsigned i = 0; i < sizeof sparse / sizeof *sparse; i++)
    printf("%d ", sparse[i]);
  printf("\n");
  return 0;
}
