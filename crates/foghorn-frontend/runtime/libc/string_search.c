/* <string.h>: searching in strings and splitting them. */
#include "foghorn_intrinsics.h"

char *strchr(const char *s, int byte) {
  for (;; s++) {
    if (*s == (char)byte)
      return (char *)s;
    if (*s == 0)
      return NULL;
  }
}

char *strchrnul(const char *s, int byte) {
  while (*s != 0 && *s != (char)byte)
    s++;
  return (char *)s;
}

char *strrchr(const char *s, int byte) {
  const char *last = NULL;
  for (;; s++) {
    if (*s == (char)byte)
      last = s;
    if (*s == 0)
      return (char *)last;
  }
}

char *index(const char *s, int byte) { return strchr(s, byte); }

char *rindex(const char *s, int byte) { return strrchr(s, byte); }

static _Bool occurs(char byte, const char *set) {
  for (; *set != 0; set++)
    if (*set == byte)
      return 1;
  return 0;
}

size_t strspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] != 0 && occurs(s[n], set))
    n++;
  return n;
}

size_t strcspn(const char *s, const char *set) {
  size_t n = 0;
  while (s[n] != 0 && !occurs(s[n], set))
    n++;
  return n;
}

char *strpbrk(const char *s, const char *set) {
  s += strcspn(s, set);
  return *s != 0 ? (char *)s : NULL;
}

char *strstr(const char *s, const char *part) {
  for (;; s++) {
    size_t i = 0;
    while (part[i] != 0 && s[i] == part[i])
      i++;
    if (part[i] == 0)
      return (char *)s;
    if (*s == 0)
      return NULL;
  }
}

static char folded(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c; }

char *strcasestr(const char *s, const char *part) {
  for (;; s++) {
    size_t i = 0;
    while (part[i] != 0 && folded(s[i]) == folded(part[i]))
      i++;
    if (part[i] == 0)
      return (char *)s;
    if (*s == 0)
      return NULL;
  }
}

/* At most n bytes of s are looked at. */
char *strnstr(const char *s, const char *part, size_t n) {
  for (size_t start = 0; start <= n; start++) {
    size_t i = 0;
    while (part[i] != 0 && start + i < n && s[start + i] == part[i])
      i++;
    if (part[i] == 0)
      return (char *)s + start;
    if (start == n || s[start] == 0)
      return NULL;
  }
  return NULL;
}

char *strtok_r(char *s, const char *separators, char **rest) {
  if (s == NULL)
    s = *rest;
  s += strspn(s, separators);
  if (*s == 0) {
    *rest = s;
    return NULL;
  }
  char *end = s + strcspn(s, separators);
  if (*end != 0)
    *end++ = 0;
  *rest = end;
  return s;
}

char *__strtok_r(char *s, const char *separators, char **rest) {
  return strtok_r(s, separators, rest);
}

/* A first call with null has no string to go on with: a precondition, not a null dereference. */
char *strtok(char *s, const char *separators) {
  static char *rest;
  __foghorn_check_library(s != NULL || rest != NULL);
  return strtok_r(s, separators, &rest);
}

char *strsep(char **rest, const char *separators) {
  char *s = *rest;
  if (s == NULL)
    return NULL;
  char *end = s + strcspn(s, separators);
  *rest = *end != 0 ? end + 1 : NULL;
  *end = 0;
  return s;
}

char *basename(const char *path) {
  char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : (char *)path;
}
