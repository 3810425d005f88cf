/* Strings from outside: arguments and variables of the environment.
 *
 * A string is an object of its own, exactly as long as it must be, that lives as long as the program
 * and cannot be freed. A new object holds any bytes, so a string of any length costs one allocation; a
 * zero among them makes it a shorter string in a larger object, which adds nothing that the shorter
 * string by itself does not have.
 */
#ifndef FOGHORN_TEXT_H
#define FOGHORN_TEXT_H

#include "foghorn_intrinsics.h"

/* What one string, or one vector, may take: no program is handed more. A power of two. */
#define LARGEST_TEXT ((size_t)1 << 30)
#define LARGEST_COUNT ((size_t)1 << 27)

/* The object of n + 1 bytes becomes a string. */
static inline char *__model_outside_text(char *object, size_t n) {
  object[n] = 0;
  return object;
}

static inline size_t text_length(const char *s) {
  size_t n = 0;
  while (s[n] != 0)
    n++;
  return n;
}

#endif
