/* getline and getdelim: lines of any length in a buffer that grows by realloc. */
#include "foghorn_stream.h"

typedef ptrdiff_t ssize_t;
void *realloc(void *block, size_t n);

enum { FIRST_CAPACITY = 120 };

/* Room for `needed` bytes; false when memory ran out. */
static _Bool reserve(char **line, size_t *capacity, size_t needed) {
  if (*line != NULL && needed <= *capacity)
    return 1;
  size_t grown = needed < FIRST_CAPACITY ? FIRST_CAPACITY : 2 * needed;
  char *moved = realloc(*line, grown);
  if (moved == NULL)
    return 0;
  *line = moved;
  *capacity = grown;
  return 1;
}

ssize_t getdelim(char **line, size_t *capacity, int delimiter, FILE *stream) {
  ssize_t n = 0;
  if (line == NULL || capacity == NULL) {
    errno = EINVAL;
    return -1;
  }
  __model_stream_check(stream);
  for (;;) {
    if (!reserve(line, capacity, (size_t)n + 2))
      return -1;
    int c = __model_stream_next(stream);
    if (c == EOF) {
      /* An error leaves no line, whatever was read before it. */
      if (stream->ended == STREAM_FAILED)
        n = 0;
      break;
    }
    (*line)[n++] = (char)c;
    if (c == (unsigned char)delimiter)
      break;
  }
  (*line)[n] = 0;
  return n > 0 ? n : -1;
}

ssize_t getline(char **line, size_t *capacity, FILE *stream) {
  return getdelim(line, capacity, '\n', stream);
}

ssize_t __getdelim(char **line, size_t *capacity, int delimiter, FILE *stream) {
  return getdelim(line, capacity, delimiter, stream);
}
