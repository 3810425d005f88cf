/* <string.h>: blocks of bytes (mem*), and the BSD names for the same.
 *
 * Copies and fills become single IR instructions, which check their whole range with the precise
 * kind (out of bounds, freed, null). What remains to be checked here is that memcpy's blocks do not
 * overlap: a block copied onto itself overlaps, as C says.
 */
#include "foghorn_intrinsics.h"

static _Bool disjoint(const void *p, size_t p_size, const void *q, size_t q_size) {
  if (p_size == 0 || q_size == 0 || !__foghorn_same_object(p, q))
    return 1;
  ptrdiff_t p_start = __foghorn_object_offset(p);
  ptrdiff_t q_start = __foghorn_object_offset(q);
  if (p_start < q_start)
    return (size_t)(q_start - p_start) >= p_size;
  return (size_t)(p_start - q_start) >= q_size;
}

void *memcpy(void *to, const void *from, size_t n) {
  __foghorn_check_overlap(disjoint(to, n, from, n));
  return __builtin_memcpy(to, from, n);
}

void *mempcpy(void *to, const void *from, size_t n) {
  __foghorn_check_overlap(disjoint(to, n, from, n));
  __builtin_memcpy(to, from, n);
  return (char *)to + n;
}

void *__mempcpy(void *to, const void *from, size_t n) { return mempcpy(to, from, n); }

void *memmove(void *to, const void *from, size_t n) { return __builtin_memmove(to, from, n); }

void *memset(void *block, int byte, size_t n) { return __builtin_memset(block, byte, n); }

void *memccpy(void *to, const void *from, int byte, size_t n) {
  char *t = to;
  const char *f = from;
  for (size_t i = 0; i < n; i++) {
    t[i] = f[i];
    if ((unsigned char)f[i] == (unsigned char)byte) {
      __foghorn_check_overlap(disjoint(to, i + 1, from, i + 1));
      return t + i + 1;
    }
  }
  __foghorn_check_overlap(disjoint(to, n, from, n));
  return NULL;
}

/* All n bytes of both blocks must exist, even where an early difference decides. */
int memcmp(const void *left, const void *right, size_t n) {
  const unsigned char *l = left, *r = right;
  REQUIRE_BYTES(left, n);
  REQUIRE_BYTES(right, n);
  for (size_t i = 0; i < n; i++)
    if (l[i] != r[i])
      return __model_sign(l[i] - r[i]);
  return 0;
}

int bcmp(const void *left, const void *right, size_t n) {
  const unsigned char *l = left, *r = right;
  REQUIRE_BYTES(left, n);
  REQUIRE_BYTES(right, n);
  for (size_t i = 0; i < n; i++)
    if (l[i] != r[i])
      return 1;
  return 0;
}

/* memchr may be given an n beyond the block when the byte occurs before its end (C11 7.24.5.1). */
void *memchr(const void *block, int byte, size_t n) {
  const unsigned char *b = block;
  for (size_t i = 0; i < n; i++)
    if (b[i] == (unsigned char)byte)
      return (void *)(b + i);
  return NULL;
}

void *memrchr(const void *block, int byte, size_t n) {
  const unsigned char *b = block;
  REQUIRE_BYTES(block, n);
  for (size_t i = n; i > 0; i--)
    if (b[i - 1] == (unsigned char)byte)
      return (void *)(b + i - 1);
  return NULL;
}

void *rawmemchr(const void *block, int byte) {
  const unsigned char *b = block;
  while (*b != (unsigned char)byte)
    b++;
  return (void *)b;
}

void *memmem(const void *block, size_t n, const void *part, size_t part_size) {
  const unsigned char *b = block, *p = part;
  REQUIRE_BYTES(block, n);
  REQUIRE_BYTES(part, part_size);
  for (size_t i = 0; part_size <= n && i <= n - part_size; i++) {
    size_t j = 0;
    while (j < part_size && b[i + j] == p[j])
      j++;
    if (j == part_size)
      return (void *)(b + i);
  }
  return NULL;
}

void bcopy(const void *from, void *to, size_t n) { __builtin_memmove(to, from, n); }

void bzero(void *block, size_t n) { __builtin_memset(block, 0, n); }

void explicit_bzero(void *block, size_t n) { __builtin_memset(block, 0, n); }

void swab(const void *from, void *to, ptrdiff_t n) {
  const char *f = from;
  char *t = to;
  for (ptrdiff_t i = 0; i + 1 < n; i += 2) {
    char first = f[i];
    t[i] = f[i + 1];
    t[i + 1] = first;
  }
}
