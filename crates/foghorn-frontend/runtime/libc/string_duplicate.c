/* strdup and strndup: their results come from malloc, and fail when malloc does. */
#include "foghorn_intrinsics.h"

static char *duplicate(const char *s, size_t n) {
  char *copy = malloc(n + 1);
  if (copy == NULL)
    return NULL;
  __builtin_memcpy(copy, s, n);
  copy[n] = 0;
  return copy;
}

char *strdup(const char *s) {
  size_t n = 0;
  while (s[n] != 0)
    n++;
  return duplicate(s, n);
}

char *strndup(const char *s, size_t limit) {
  size_t n = 0;
  while (n < limit && s[n] != 0)
    n++;
  return duplicate(s, n);
}

char *__strdup(const char *s) { return strdup(s); }

char *__strndup(const char *s, size_t limit) { return strndup(s, limit); }

void *memdup(const void *block, size_t n) {
  void *copy = malloc(n);
  return copy == NULL ? NULL : __builtin_memcpy(copy, block, n);
}
