/* <string.h>: length, copy, concatenation and comparison of strings.
 *
 * A missing terminator is found by the byte loop that looks for it. Copies find the length first
 * and then copy in one step, so that an overlap is reported as such and not as what it destroys.
 */
#include "foghorn_intrinsics.h"

static size_t length(const char *s) {
  size_t n = 0;
  while (s[n] != 0)
    n++;
  return n;
}

static size_t bounded_length(const char *s, size_t limit) {
  size_t n = 0;
  while (n < limit && s[n] != 0)
    n++;
  return n;
}

static _Bool disjoint(const void *p, size_t p_size, const void *q, size_t q_size) {
  if (p_size == 0 || q_size == 0 || !__foghorn_same_object(p, q))
    return 1;
  ptrdiff_t p_start = __foghorn_object_offset(p);
  ptrdiff_t q_start = __foghorn_object_offset(q);
  if (p_start < q_start)
    return (size_t)(q_start - p_start) >= p_size;
  return (size_t)(p_start - q_start) >= q_size;
}

/* Copies the n bytes at `from` and then the terminator. */
static void copy_terminated(char *to, const char *from, size_t n) {
  __foghorn_check_overlap(disjoint(to, n + 1, from, n + 1));
  __builtin_memcpy(to, from, n);
  to[n] = 0;
}

size_t strlen(const char *s) { return length(s); }

size_t strnlen(const char *s, size_t limit) { return bounded_length(s, limit); }

char *strcpy(char *to, const char *from) {
  copy_terminated(to, from, length(from));
  return to;
}

char *stpcpy(char *to, const char *from) {
  size_t n = length(from);
  copy_terminated(to, from, n);
  return to + n;
}

char *stpncpy(char *to, const char *from, size_t n) {
  size_t copied = bounded_length(from, n);
  __foghorn_check_overlap(disjoint(to, n, from, copied < n ? copied + 1 : n));
  __builtin_memcpy(to, from, copied);
  __builtin_memset(to + copied, 0, n - copied);
  return to + copied;
}

char *strncpy(char *to, const char *from, size_t n) {
  stpncpy(to, from, n);
  return to;
}

char *__stpcpy(char *to, const char *from) { return stpcpy(to, from); }

char *strcat(char *to, const char *from) {
  copy_terminated(to + length(to), from, length(from));
  return to;
}

char *strncat(char *to, const char *from, size_t n) {
  copy_terminated(to + length(to), from, bounded_length(from, n));
  return to;
}

size_t strlcpy(char *to, const char *from, size_t size) {
  size_t n = length(from);
  if (size > 0)
    copy_terminated(to, from, n < size ? n : size - 1);
  return n;
}

size_t strlcat(char *to, const char *from, size_t size) {
  size_t start = bounded_length(to, size);
  if (start == size)
    return size + length(from);
  return start + strlcpy(to + start, from, size - start);
}

int strcmp(const char *left, const char *right) {
  size_t i = 0;
  while (left[i] != 0 && left[i] == right[i])
    i++;
  return __model_sign((unsigned char)left[i] - (unsigned char)right[i]);
}

int strncmp(const char *left, const char *right, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (left[i] != right[i])
      return __model_sign((unsigned char)left[i] - (unsigned char)right[i]);
    if (left[i] == 0)
      return 0;
  }
  return 0;
}

/* In the C locale strings collate as their bytes compare. */
int strcoll(const char *left, const char *right) { return strcmp(left, right); }

size_t strxfrm(char *to, const char *from, size_t n) {
  size_t needed = length(from);
  if (n > 0)
    stpncpy(to, from, needed < n ? needed + 1 : n);
  return needed;
}
