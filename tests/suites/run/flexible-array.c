// A struct with a flexible array member on the heap and in static storage.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 8 flexible 8 abc

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
  size_t length;
  char bytes[];
};

static struct text fixed = {3, {'a', 'b', 'c'}};

static struct text *make(const char *s) {
  struct text *t = malloc(sizeof *t + strlen(s) + 1);
  if (t == NULL)
    abort();
  t->length = strlen(s);
  memcpy(t->bytes, s, t->length + 1);
  return t;
}

int main(void) {
  struct text *t = make("flexible");
  printf("%zu %s %zu %.3s\n", t->length, t->bytes, sizeof *t, fixed.bytes);
  free(t);
  return 0;
}
