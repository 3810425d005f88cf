/* <stdio.h>: characters, lines, blocks and positions of streams. */
#include "foghorn_stream.h"

typedef long off_t;

static size_t length(const char *s) {
  size_t n = 0;
  while (s[n] != 0)
    n++;
  return n;
}

int fgetc(FILE *stream);

int fgetc_unlocked(FILE *stream) { return fgetc(stream); }

int fgetc(FILE *stream) { return __model_stream_get(stream); }

int getc(FILE *stream) { return __model_stream_get(stream); }

int getchar(void) { return __model_stream_get(stdin); }

int getc_unlocked(FILE *stream) { return __model_stream_get(stream); }

int getchar_unlocked(void) { return __model_stream_get(stdin); }

/* What glibc's inline functions call when their buffer is empty or full, which it always is. */
int __uflow(FILE *stream) { return __model_stream_get(stream); }

int __overflow(FILE *stream, int c) {
  char byte = (char)c;
  return __model_stream_put(stream, &byte, 1) == 1 ? (unsigned char)byte : EOF;
}

int fputc(int c, FILE *stream) { return __overflow(stream, c); }

int putc(int c, FILE *stream) { return __overflow(stream, c); }

int putchar(int c) { return __overflow(stdout, c); }

int putc_unlocked(int c, FILE *stream) { return __overflow(stream, c); }

int putchar_unlocked(int c) { return __overflow(stdout, c); }

int fputs(const char *s, FILE *stream) {
  size_t n = length(s);
  return __model_stream_put(stream, s, n) == n ? 1 : EOF;
}

int fputs_unlocked(const char *s, FILE *stream) { return fputs(s, stream); }

int puts(const char *s) {
  size_t n = length(s);
  __model_stream_put(stdout, s, n);
  __model_stream_put(stdout, "\n", 1);
  return 1;
}

int ungetc(int c, FILE *stream) {
  __model_stream_unget(stream, c);
  return c == EOF ? EOF : (unsigned char)c;
}

/* Whether a line that stopped at EOF is none, since an error stopped it. */
static _Bool has_failed(FILE *stream) { return stream->ended == STREAM_FAILED; }

char *fgets(char *line, int size, FILE *stream);

char *fgets_unlocked(char *line, int size, FILE *stream) { return fgets(line, size, stream); }

char *fgets(char *line, int size, FILE *stream) {
  int n = 0, c = 0;
  __model_stream_check(stream);
  if (size <= 0)
    return NULL;
  while (n < size - 1) {
    c = __model_stream_next(stream);
    if (c == EOF)
      break;
    line[n++] = (char)c;
    if (c == '\n')
      break;
  }
  if (c == EOF && (n == 0 || has_failed(stream)))
    return NULL;
  line[n] = 0;
  return line;
}

/* gets is gone from C because it cannot be used safely; here it reads what it reads, and the write
 * past the buffer is found. */
char *gets(char *line) {
  FILE *stream = stdin;
  __model_stream_check(stream);
  int n = 0, c = __model_stream_next(stream);
  if (c == EOF)
    return NULL;
  for (; c != EOF && c != '\n'; c = __model_stream_next(stream))
    line[n++] = (char)c;
  if (c == EOF && has_failed(stream))
    return NULL;
  line[n] = 0;
  return line;
}

size_t fread(void *block, size_t size, size_t count, FILE *stream) {
  size_t bytes;
  __model_stream_check(stream);
  __foghorn_check_library(!__builtin_mul_overflow(size, count, &bytes));
  REQUIRE_BYTES(block, bytes);
  if (bytes == 0)
    return 0;
  size_t done = __model_stream_block(stream, block, bytes);
  return done == bytes ? count : size == 1 ? done : done / size;
}

size_t fwrite(const void *block, size_t size, size_t count, FILE *stream) {
  size_t bytes;
  __foghorn_check_library(!__builtin_mul_overflow(size, count, &bytes));
  if (bytes == 0)
    return 0;
  return __model_stream_put(stream, block, bytes) / size;
}

size_t fread_unlocked(void *block, size_t size, size_t count, FILE *stream) {
  return fread(block, size, count, stream);
}

size_t fwrite_unlocked(const void *block, size_t size, size_t count, FILE *stream) {
  return fwrite(block, size, count, stream);
}

int feof(FILE *stream);

int feof_unlocked(FILE *stream) { return feof(stream); }

int feof(FILE *stream) {
  __model_stream_check(stream);
  return (stream->flags & STREAM_AT_END) != 0;
}

int ferror(FILE *stream);

int ferror_unlocked(FILE *stream) { return ferror(stream); }

int ferror(FILE *stream) {
  __model_stream_check(stream);
  return (stream->flags & STREAM_IN_ERROR) != 0;
}

void clearerr(FILE *stream) {
  __model_stream_check(stream);
  stream->flags &= ~(STREAM_AT_END | STREAM_IN_ERROR);
}

int fileno(FILE *stream) {
  __model_stream_check(stream);
  return stream->descriptor;
}

int fflush(FILE *stream) {
  if (stream != NULL)
    __model_stream_check(stream);
  return 0;
}

int fflush_unlocked(FILE *stream) { return fflush(stream); }

int __foghorn_library_fseek(void);
long __foghorn_library_ftell(void);

/* Positions of files are unknown, as their contents are. */
int fseek(FILE *stream, long offset, int origin) {
  __model_stream_check(stream);
  (void)offset;
  int result = __foghorn_library_fseek();
  __foghorn_assume(result == 0 || result == -1);
  if (origin < 0 || origin > 2 || result != 0)
    return -1;
  stream->pushed_back = EOF;
  stream->no_space = 0;
  stream->ended = STREAM_GOES_ON;
  stream->flags &= ~STREAM_AT_END;
  return 0;
}

int fseeko(FILE *stream, off_t offset, int origin) { return fseek(stream, offset, origin); }

long ftell(FILE *stream) {
  __model_stream_check(stream);
  long position = __foghorn_library_ftell();
  __foghorn_assume(position >= -1);
  return position;
}

off_t ftello(FILE *stream) { return ftell(stream); }

void rewind(FILE *stream) {
  __model_stream_check(stream);
  stream->pushed_back = EOF;
  stream->no_space = 0;
  stream->ended = STREAM_GOES_ON;
  stream->flags &= ~(STREAM_AT_END | STREAM_IN_ERROR);
}

int setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
  __model_stream_check(stream);
  if (buffer != NULL)
    REQUIRE_BYTES(buffer, size);
  return mode >= 0 && mode <= 2 ? 0 : -1;
}

void setbuf(FILE *stream, char *buffer) { setvbuf(stream, buffer, 0, 8192); }

void setlinebuf(FILE *stream) { __model_stream_check(stream); }

void flockfile(FILE *stream) { __model_stream_check(stream); }

void funlockfile(FILE *stream) { __model_stream_check(stream); }

int __foghorn_library_remove(void);
int __foghorn_library_rename(void);

static int outcome(int result) {
  __foghorn_assume(result == 0 || result == -1);
  return result;
}

int remove(const char *path) {
  length(path);
  return outcome(__foghorn_library_remove());
}

int rename(const char *from, const char *to) {
  length(from);
  length(to);
  return outcome(__foghorn_library_rename());
}

char *strerror(int code);

void perror(const char *prefix) {
  const char *text = strerror(errno);
  if (prefix != NULL && *prefix != 0) {
    fputs(prefix, stderr);
    fputs(": ", stderr);
  }
  fputs(text, stderr);
  fputs("\n", stderr);
}
