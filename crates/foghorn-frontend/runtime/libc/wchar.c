/* <wchar.h>, <wctype.h>: wide strings, and their characters in the C locale. */
#include "foghorn_intrinsics.h"

typedef __WCHAR_TYPE__ wchar_t;
typedef __WINT_TYPE__ wint_t;

size_t wcslen(const wchar_t *s) {
  size_t n = 0;
  while (s[n] != 0)
    n++;
  return n;
}

size_t wcsnlen(const wchar_t *s, size_t limit) {
  size_t n = 0;
  while (n < limit && s[n] != 0)
    n++;
  return n;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
  size_t i = 0;
  for (; from[i] != 0; i++)
    to[i] = from[i];
  to[i] = 0;
  return to;
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i] != 0; i++)
    to[i] = from[i];
  for (; i < n; i++)
    to[i] = 0;
  return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
  wcscpy(to + wcslen(to), from);
  return to;
}

int wcscmp(const wchar_t *left, const wchar_t *right) {
  size_t i = 0;
  while (left[i] != 0 && left[i] == right[i])
    i++;
  return (left[i] > right[i]) - (left[i] < right[i]);
}

int wcsncmp(const wchar_t *left, const wchar_t *right, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (left[i] != right[i])
      return __model_sign(left[i] < right[i] ? -1 : 1);
    if (left[i] == 0)
      return 0;
  }
  return 0;
}

wchar_t *wcschr(const wchar_t *s, wchar_t c) {
  for (;; s++) {
    if (*s == c)
      return (wchar_t *)s;
    if (*s == 0)
      return NULL;
  }
}

wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
  const wchar_t *last = NULL;
  for (;; s++) {
    if (*s == c)
      last = s;
    if (*s == 0)
      return (wchar_t *)last;
  }
}

wchar_t *wcsstr(const wchar_t *s, const wchar_t *part) {
  for (;; s++) {
    size_t i = 0;
    while (part[i] != 0 && s[i] == part[i])
      i++;
    if (part[i] == 0)
      return (wchar_t *)s;
    if (*s == 0)
      return NULL;
  }
}

wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n) {
  for (size_t i = 0; i < n; i++)
    to[i] = c;
  return to;
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n) {
  __builtin_memcpy(to, from, n * sizeof *to);
  return to;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
  __builtin_memmove(to, from, n * sizeof *to);
  return to;
}

int wmemcmp(const wchar_t *left, const wchar_t *right, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (left[i] != right[i])
      return __model_sign(left[i] < right[i] ? -1 : 1);
  return 0;
}

wchar_t *wcsdup(const wchar_t *s) {
  size_t bytes = (wcslen(s) + 1) * sizeof *s;
  wchar_t *copy = malloc(bytes);
  return copy == NULL ? NULL : __builtin_memcpy(copy, s, bytes);
}

static _Bool between(wint_t c, wint_t low, wint_t high) { return c >= low && c <= high; }

static _Bool upper(wint_t c) { return between(c, 'A', 'Z'); }

static _Bool lower(wint_t c) { return between(c, 'a', 'z'); }

int iswupper(wint_t c) { return upper(c); }

int iswlower(wint_t c) { return lower(c); }

int iswalpha(wint_t c) { return upper(c) || lower(c); }

int iswdigit(wint_t c) { return between(c, '0', '9'); }

int iswalnum(wint_t c) { return iswalpha(c) || iswdigit(c); }

int iswspace(wint_t c) { return c == ' ' || between(c, '\t', '\r'); }

int iswprint(wint_t c) { return between(c, 32, 126); }

wint_t towupper(wint_t c) { return lower(c) ? c - ('a' - 'A') : c; }

wint_t towlower(wint_t c) { return upper(c) ? c + ('a' - 'A') : c; }

/* Multibyte characters of the C locale: ASCII; anything else is an encoding error. */
#define EILSEQ 84

int mbtowc(wchar_t *to, const char *from, size_t n) {
  if (from == NULL || n == 0)
    return from == NULL ? 0 : -1;
  if ((unsigned char)*from > 127) {
    errno = EILSEQ;
    return -1;
  }
  if (to != NULL)
    *to = *from;
  return *from != 0;
}

int wctomb(char *to, wchar_t c) {
  if (to == NULL)
    return 0;
  if (c < 0 || c > 127) {
    errno = EILSEQ;
    return -1;
  }
  *to = (char)c;
  return 1;
}

int mblen(const char *from, size_t n) { return mbtowc(NULL, from, n); }

size_t mbstowcs(wchar_t *to, const char *from, size_t n) {
  for (size_t i = 0; to == NULL || i < n; i++) {
    wchar_t c;
    if (mbtowc(&c, from + i, 1) < 0)
      return SIZE_MAX;
    if (to != NULL)
      to[i] = c;
    if (c == 0)
      return i;
  }
  return n;
}

size_t wcstombs(char *to, const wchar_t *from, size_t n) {
  for (size_t i = 0; to == NULL || i < n; i++) {
    char c;
    if (wctomb(&c, from[i]) < 0)
      return SIZE_MAX;
    if (to != NULL)
      to[i] = c;
    if (c == 0)
      return i;
  }
  return n;
}
