/* <string.h> and <strings.h>: random texts over a small alphabet, in buffers of exact size. */
#define _GNU_SOURCE
#include "shim.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

size_t model_strlen(const char *), model_strnlen(const char *, size_t);
size_t model_strspn(const char *, const char *), model_strcspn(const char *, const char *);
int model_strcmp(const char *, const char *), model_strncmp(const char *, const char *, size_t);
int model_strcasecmp(const char *, const char *);
int model_strncasecmp(const char *, const char *, size_t);
int model_memcmp(const void *, const void *, size_t), model_bcmp(const void *, const void *, size_t);
char *model_strchr(const char *, int), *model_strrchr(const char *, int);
char *model_strchrnul(const char *, int), *model_strpbrk(const char *, const char *);
char *model_strstr(const char *, const char *), *model_strcasestr(const char *, const char *);
char *model_strcpy(char *, const char *), *model_strncpy(char *, const char *, size_t);
char *model_stpcpy(char *, const char *), *model_stpncpy(char *, const char *, size_t);
char *model_strcat(char *, const char *), *model_strncat(char *, const char *, size_t);
char *model_strtok_r(char *, const char *, char **), *model_strtok(char *, const char *);
char *model_strsep(char **, const char *), *model_strdup(const char *);
char *model_strndup(const char *, size_t), *model_strerror(int);
void *model_memchr(const void *, int, size_t), *model_memrchr(const void *, int, size_t);
void *model_memccpy(void *, const void *, int, size_t), *model_mempcpy(void *, const void *, size_t);
void *model_memmem(const void *, size_t, const void *, size_t);
void *model_memmove(void *, const void *, size_t), *model_memset(void *, int, size_t);
void *model_memcpy(void *, const void *, size_t), *model_rawmemchr(const void *, int);
size_t model_strxfrm(char *, const char *, size_t);
int model_ffs(int), model_ffsl(long), model_ffsll(long long);

/* A fresh text whose buffer ends with its terminator. */
static char *text(unsigned longest) {
  static const char alphabet[] = "aAbB ,.\xe4\x80z";
  unsigned n = random_below(longest + 1);
  char *s = malloc(n + 1);
  for (unsigned i = 0; i < n; i++)
    s[i] = alphabet[random_below(sizeof alphabet - 1)];
  s[n] = 0;
  return s;
}

static int sign(int value) { return (value > 0) - (value < 0); }

#define SAME(name, model, real)                                                                    \
  do {                                                                                             \
    __typeof__(real) m_ = (model), r_ = (real);                                                    \
    if (m_ != r_)                                                                                  \
      differ(name, "'%s' '%s' %u %d", s, t, n, c);                                                 \
  } while (0)

static void compare_searches(const char *s, const char *t, unsigned n, int c) {
  SAME("strlen", model_strlen(s), strlen(s));
  SAME("strnlen", model_strnlen(s, n), strnlen(s, n));
  SAME("strspn", model_strspn(s, t), strspn(s, t));
  SAME("strcspn", model_strcspn(s, t), strcspn(s, t));
  SAME("strchr", model_strchr(s, c), strchr(s, c));
  SAME("strrchr", model_strrchr(s, c), strrchr(s, c));
  SAME("strchrnul", model_strchrnul(s, c), strchrnul(s, c));
  SAME("strpbrk", model_strpbrk(s, t), strpbrk(s, t));
  SAME("strstr", model_strstr(s, t), strstr(s, t));
  SAME("strcasestr", model_strcasestr(s, t), strcasestr(s, t));
  SAME("memchr", model_memchr(s, c, strlen(s)), memchr(s, c, strlen(s)));
  SAME("memrchr", model_memrchr(s, c, strlen(s)), memrchr(s, c, strlen(s)));
  SAME("rawmemchr", model_rawmemchr(s, 0), rawmemchr(s, 0));
  SAME("memmem", model_memmem(s, strlen(s), t, strlen(t)), memmem(s, strlen(s), t, strlen(t)));
}

static void compare_orders(const char *s, const char *t, unsigned n, int c) {
  size_t shorter = strlen(s) < strlen(t) ? strlen(s) : strlen(t);
  SAME("strcmp", sign(model_strcmp(s, t)), sign(strcmp(s, t)));
  SAME("strncmp", sign(model_strncmp(s, t, n)), sign(strncmp(s, t, n)));
  SAME("strcasecmp", sign(model_strcasecmp(s, t)), sign(strcasecmp(s, t)));
  SAME("strncasecmp", sign(model_strncasecmp(s, t, n)), sign(strncasecmp(s, t, n)));
  SAME("memcmp", sign(model_memcmp(s, t, shorter)), sign(memcmp(s, t, shorter)));
  SAME("bcmp", model_bcmp(s, t, shorter) == 0, bcmp(s, t, shorter) == 0);
}

enum { ROOM = 64 };

/* Runs one copy in two equal buffers and compares results and all bytes. */
#define COPY(name, model, real)                                                                    \
  do {                                                                                             \
    char a[ROOM], b[ROOM], *to;                                                                    \
    memset(a, '#', ROOM);                                                                          \
    memcpy(a, t, strlen(t) + 1);                                                                   \
    memcpy(b, a, ROOM);                                                                            \
    to = a;                                                                                        \
    long m_ = (long)((char *)(model)-a);                                                           \
    to = b;                                                                                        \
    long r_ = (long)((char *)(real)-b);                                                            \
    if ((m_ != r_ && m_ >= 0 && m_ < ROOM) || memcmp(a, b, ROOM) != 0)                             \
      differ(name, "'%s' '%s' %u %d", s, t, n, c);                                                 \
  } while (0)

static void compare_copies(const char *s, const char *t, unsigned n, int c) {
  size_t bytes = strlen(s);
  COPY("strcpy", model_strcpy(to, s), strcpy(to, s));
  COPY("strncpy", model_strncpy(to, s, n), strncpy(to, s, n));
  COPY("stpcpy", model_stpcpy(to, s), stpcpy(to, s));
  COPY("stpncpy", model_stpncpy(to, s, n), stpncpy(to, s, n));
  COPY("strcat", model_strcat(to, s), strcat(to, s));
  COPY("strncat", model_strncat(to, s, n), strncat(to, s, n));
  COPY("memcpy", model_memcpy(to, s, bytes), memcpy(to, s, bytes));
  COPY("mempcpy", model_mempcpy(to, s, bytes), mempcpy(to, s, bytes));
  COPY("memccpy", model_memccpy(to, s, c, bytes), memccpy(to, s, c, bytes));
  COPY("memset", model_memset(to, c, n), memset(to, c, n));
  COPY("memmove", model_memmove(to + n / 2, to, n), memmove(to + n / 2, to, n));
  COPY("strxfrm", to + model_strxfrm(to, s, n), to + (bytes < n ? strxfrm(to, s, n) :
       (memcpy(to, s, n), bytes)));
}

static void compare_tokens(const char *s, const char *t) {
  char *a = strdup(s), *b = strdup(s), *a_rest = NULL, *b_rest = NULL;
  char *m = model_strtok_r(a, t, &a_rest), *r = strtok_r(b, t, &b_rest);
  for (;;) {
    if ((m == NULL) != (r == NULL) || (m != NULL && (strcmp(m, r) != 0 || m - a != r - b)))
      differ("strtok_r", "'%s' '%s'", s, t);
    if (m == NULL || r == NULL)
      break;
    m = model_strtok_r(NULL, t, &a_rest);
    r = strtok_r(NULL, t, &b_rest);
  }
  free(a), free(b);
  a = strdup(s), b = strdup(s);
  a_rest = a, b_rest = b;
  do {
    m = model_strsep(&a_rest, t), r = strsep(&b_rest, t);
    if ((m == NULL) != (r == NULL) || (m != NULL && strcmp(m, r) != 0))
      differ("strsep", "'%s' '%s'", s, t);
  } while (m != NULL && r != NULL);
  free(a), free(b);
}

static void compare_duplicates(const char *s, unsigned n) {
  char *d = model_strdup(s), *e = model_strndup(s, n), *f = strndup(s, n);
  if (strcmp(d, s) != 0 || strcmp(e, f) != 0)
    differ("strdup", "'%s' %u", s, n);
  free(d), free(e), free(f);
}

void compare_strings(void) {
  for (unsigned i = 0; i < rounds; i++) {
    char *s = text(12), *t = text(random_below(2) ? 3 : 12);
    unsigned n = random_below(16);
    int c = random_below(6) == 0 ? 0 : s[random_below((unsigned)strlen(s) + 1)];
    compare_searches(s, t, n, c);
    compare_orders(s, t, n, c);
    compare_copies(s, t, n, c);
    compare_tokens(s, t);
    compare_duplicates(s, n);
    long long value = random_integer();
    SAME("ffs", model_ffs((int)value), ffs((int)value));
    SAME("ffsll", model_ffsll(value), ffsll(value));
    free(s), free(t);
  }
  const int known[] = {0, 2, 12, 22, 33, 34, 1000, -5};
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(model_strerror(known[i]), strerror(known[i])) != 0)
      differ("strerror", "%d", known[i]);
}
