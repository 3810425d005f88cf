/* <stdlib.h>: qsort and bsearch.
 *
 * A merge sort over runs that are first sorted by insertion: short arrays, which is what an engine
 * unrolls, never leave the insertion. C does not promise an order of elements that compare equal,
 * and glibc does not keep theirs, so that they come in any order here; the same holds for which of
 * them bsearch finds. Scratch space lives on the stack, so that a comparison that ends the program
 * leaves nothing allocated.
 */
#include "foghorn_intrinsics.h"

typedef int comparison(const void *, const void *);
typedef int comparison_with(const void *, const void *, void *);

/* qsort and qsort_r share one algorithm: exactly one of the two comparisons is set. */
struct order {
  comparison *plain;
  comparison_with *with;
  void *argument;
  size_t size;
};

enum { RUN = 8 };

static int compare(const struct order *order, const void *left, const void *right) {
  return order->plain != NULL ? order->plain(left, right)
                              : order->with(left, right, order->argument);
}

/* Whether an element has to come, or may come, before one that stands before it. */
static _Bool changes_places(const struct order *order, const void *first, const void *second) {
  int sign = compare(order, first, second);
  return sign > 0 || (sign == 0 && __foghorn_nondet_bool());
}

static void insertion_sort(const struct order *order, char *base, size_t count, char *scratch) {
  size_t size = order->size;
  for (size_t i = 1; i < count; i++) {
    size_t j = i;
    while (j > 0 && changes_places(order, base + (j - 1) * size, base + i * size))
      j--;
    if (j == i)
      continue;
    __builtin_memcpy(scratch, base + i * size, size);
    __builtin_memmove(base + (j + 1) * size, base + j * size, (i - j) * size);
    __builtin_memcpy(base + j * size, scratch, size);
  }
}

/* Merges the sorted [0, middle) and [middle, count) by way of a copy of the first. */
static void merge(const struct order *order, char *base, size_t middle, size_t count,
                  char *scratch) {
  size_t size = order->size, left = 0, right = middle, out = 0;
  __builtin_memcpy(scratch, base, middle * size);
  while (left < middle && right < count) {
    _Bool take_right = changes_places(order, scratch + left * size, base + right * size);
    const char *from = take_right ? base + right++ * size : scratch + left++ * size;
    __builtin_memmove(base + out++ * size, from, size);
  }
  __builtin_memcpy(base + out * size, scratch + left * size, (middle - left) * size);
}

static void sort(const struct order *order, char *base, size_t count, char *scratch) {
  size_t size = order->size;
  for (size_t start = 0; start < count; start += RUN)
    insertion_sort(order, base + start * size, count - start < RUN ? count - start : RUN, scratch);
  for (size_t run = RUN; run < count; run *= 2)
    for (size_t start = 0; count - start > run; start += 2 * run) {
      size_t both = count - start < 2 * run ? count - start : 2 * run;
      merge(order, base + start * size, run, both, scratch);
      if (both < 2 * run)
        break;
    }
}

static void check_array(const void *base, size_t count, size_t size) {
  size_t bytes;
  __foghorn_check_library(!__builtin_mul_overflow(count, size, &bytes) &&
                          __foghorn_is_dereferenceable(base, bytes));
}

void qsort(void *base, size_t count, size_t size, comparison *compare) {
  check_array(base, count, size);
  if (count < 2 || size == 0)
    return;
  struct order order = {compare, NULL, NULL, size};
  sort(&order, base, count, __builtin_alloca(count * size));
}

void qsort_r(void *base, size_t count, size_t size, comparison_with *compare, void *argument) {
  check_array(base, count, size);
  if (count < 2 || size == 0)
    return;
  struct order order = {NULL, compare, argument, size};
  sort(&order, base, count, __builtin_alloca(count * size));
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, comparison *compare) {
  check_array(base, count, size);
  const char *found = NULL;
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const char *element = (const char *)base + middle * size;
    int sign = compare(key, element);
    if (sign == 0) {
      found = element;
      if (!__foghorn_nondet_bool())
        break;
      sign = __foghorn_nondet_bool() ? -1 : 1;
    }
    if (sign < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return (void *)found;
}

void *lfind(const void *key, const void *base, size_t *count, size_t size, comparison *compare) {
  check_array(base, *count, size);
  for (size_t i = 0; i < *count; i++)
    if (compare(key, (const char *)base + i * size) == 0)
      return (char *)base + i * size;
  return NULL;
}
