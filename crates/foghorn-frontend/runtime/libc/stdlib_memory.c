/* <stdlib.h>, <malloc.h>: allocation beyond malloc, calloc and free, which the front end knows. */
#include "foghorn_intrinsics.h"

/* A pointer that cannot be read at its start is either wrong, which free reports with the precise
 * kind, or an empty object, of which nothing is kept. */
void *realloc(void *block, size_t n) {
  if (block == NULL)
    return malloc(n);
  if (n == 0 || !__foghorn_is_dereferenceable(block, 1) || __foghorn_object_offset(block) != 0) {
    free(block);
    return n == 0 ? NULL : malloc(n);
  }
  size_t old = __foghorn_object_size(block);
  void *moved = malloc(n);
  if (moved == NULL)
    return NULL;
  __builtin_memcpy(moved, block, old < n ? old : n);
  free(block);
  return moved;
}

void *reallocarray(void *block, size_t count, size_t size) {
  size_t n;
  if (__builtin_mul_overflow(count, size, &n)) {
    errno = ENOMEM;
    return NULL;
  }
  return realloc(block, n);
}

void *reallocf(void *block, size_t n) {
  void *moved = realloc(block, n);
  if (moved == NULL && n != 0)
    free(block);
  return moved;
}

static _Bool is_power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

/* Every heap object is aligned for any type; a stricter alignment is promised by assuming it of
 * the address, which exposes the object. */
static void *aligned(size_t alignment, size_t n) {
  void *block = malloc(n);
  if (alignment > __BIGGEST_ALIGNMENT__)
    __foghorn_assume(((uintptr_t)block & (alignment - 1)) == 0);
  return block;
}

void *aligned_alloc(size_t alignment, size_t n) {
  __foghorn_check_library(is_power_of_two(alignment));
  return aligned(alignment, n);
}

void *memalign(size_t alignment, size_t n) {
  __foghorn_check_library(is_power_of_two(alignment));
  return aligned(alignment, n);
}

int posix_memalign(void **result, size_t alignment, size_t n) {
  if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0)
    return EINVAL;
  void *block = aligned(alignment, n);
  if (block == NULL)
    return ENOMEM;
  *result = block;
  return 0;
}

void *valloc(size_t n) { return aligned(4096, n); }

void *pvalloc(size_t n) { return aligned(4096, (n + 4095) / 4096 * 4096); }

void cfree(void *block) { free(block); }

size_t malloc_usable_size(void *block) { return block == NULL ? 0 : __foghorn_object_size(block); }
