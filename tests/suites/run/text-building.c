// asprintf, snprintf in steps, memory that grows, and numbers back from their text.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// stdout: 0:0;1:4d;4:9a;9:e7;16:134; 26 32
// stdout: 0.00, 0.33, 0.67, 1.00
// stdout: 2 0.33
// stdout: 0.10000000000000001 0.100000001

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
  char *bytes;
  size_t length, capacity;
};

static void append(struct text *t, const char *s) {
  size_t n = strlen(s);
  while (t->length + n + 1 > t->capacity) {
    size_t capacity = t->capacity ? 2 * t->capacity : 8;
    char *grown = realloc(t->bytes, capacity);
    if (grown == NULL)
      abort();
    t->bytes = grown;
    t->capacity = capacity;
  }
  memcpy(t->bytes + t->length, s, n + 1);
  t->length += n;
}

int main(void) {
  struct text t = {0};
  for (int i = 0; i < 5; i++) {
    char *piece;
    if (asprintf(&piece, "%d:%x;", i * i, i * 77) < 0)
      abort();
    append(&t, piece);
    free(piece);
  }
  printf("%s %zu %zu\n", t.bytes, t.length, t.capacity);
  char line[32];
  int used = 0;
  for (int i = 0; i < 4; i++)
    used += snprintf(line + used, sizeof line - used, "%s%.2f", i ? ", " : "", i / 3.0);
  printf("%s\n", line);
  double a, b;
  int count = sscanf(line, "%lf, %lf", &a, &b);
  printf("%d %.2f\n", count, b);
  printf("%.17g %.9g\n", strtod("0.1", NULL), strtof("0.1", NULL));
  free(t.bytes);
  return 0;
}
