/* Streams: the three standard ones, and files.
 *
 * Standard input and output are the interpreter's own. A file's contents are not modelled: each byte
 * read is any byte, each read may be the last, each write may fail. Streams come from a pool of as
 * many as C promises, since glibc too keeps every open stream reachable; closing gives the place
 * back and makes any further use of the stream fail a precondition.
 */
#include "foghorn_stream.h"

enum { POOL = 16, FIRST_DESCRIPTOR = 3 };

static FILE standard[3] = {
    {.descriptor = 0, .pushed_back = EOF, .open = 1},
    {.descriptor = 1, .pushed_back = EOF, .open = 1},
    {.descriptor = 2, .pushed_back = EOF, .open = 1},
};
static FILE pool[POOL];

FILE *stdin = &standard[0];
FILE *stdout = &standard[1];
FILE *stderr = &standard[2];

void __model_stream_check(FILE *stream) {
  __foghorn_check_library(
      (__foghorn_same_object(stream, standard) || __foghorn_same_object(stream, pool)) &&
      __foghorn_is_dereferenceable(stream, sizeof(FILE)) && stream->open);
}

static int next_byte(FILE *stream) {
  unsigned char byte = 0;
  if (stream->descriptor < FIRST_DESCRIPTOR)
    return __foghorn_read(stream->descriptor, &byte, 1) == 1 ? byte : EOF;
  if (__foghorn_nondet_bool())
    return EOF;
  return __foghorn_nondet_uchar();
}

int __model_stream_get(FILE *stream) {
  __model_stream_check(stream);
  int byte = stream->pushed_back;
  stream->pushed_back = EOF;
  if (byte == EOF)
    byte = next_byte(stream);
  if (byte == EOF)
    stream->flags |= STREAM_AT_END;
  return byte;
}

void __model_stream_unget(FILE *stream, int byte) {
  __model_stream_check(stream);
  if (byte == EOF)
    return;
  stream->pushed_back = (unsigned char)byte;
  stream->flags &= ~STREAM_AT_END;
}

size_t __model_stream_put(FILE *stream, const char *bytes, size_t n) {
  __model_stream_check(stream);
  __foghorn_write(stream->descriptor, bytes, n);
  if (stream->descriptor >= FIRST_DESCRIPTOR && n > 0 && __foghorn_nondet_bool()) {
    stream->flags |= STREAM_IN_ERROR;
    return n - 1;
  }
  return n;
}

static void read_string(const char *s) {
  while (*s != 0)
    s++;
}

static FILE *open_stream(int descriptor_or_any) {
  for (int i = 0; i < POOL; i++)
    if (!pool[i].open) {
      int descriptor = descriptor_or_any >= 0 ? descriptor_or_any : FIRST_DESCRIPTOR + i;
      pool[i] = (FILE){.descriptor = descriptor, .pushed_back = EOF, .open = 1};
      return &pool[i];
    }
  errno = EMFILE;
  return NULL;
}

FILE *fopen(const char *path, const char *mode) {
  read_string(path);
  read_string(mode);
  if (__foghorn_nondet_bool()) {
    errno = ENOENT;
    return NULL;
  }
  return open_stream(-1);
}

FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

FILE *popen(const char *command, const char *mode) { return fopen(command, mode); }

FILE *tmpfile(void) { return __foghorn_nondet_bool() ? NULL : open_stream(-1); }

FILE *fdopen(int descriptor, const char *mode) {
  read_string(mode);
  if (descriptor < 0) {
    errno = EBADF;
    return NULL;
  }
  return open_stream(descriptor);
}

/* The stream goes on with a file that is not standard input or output any more. */
FILE *freopen(const char *path, const char *mode, FILE *stream) {
  __model_stream_check(stream);
  if (path != NULL)
    read_string(path);
  read_string(mode);
  if (__foghorn_nondet_bool()) {
    stream->open = 0;
    return NULL;
  }
  *stream = (FILE){.descriptor = FIRST_DESCRIPTOR + POOL, .pushed_back = EOF, .open = 1};
  return stream;
}

int fclose(FILE *stream) {
  __model_stream_check(stream);
  _Bool failed = stream->descriptor >= FIRST_DESCRIPTOR && __foghorn_nondet_bool();
  stream->open = 0;
  return failed ? EOF : 0;
}

int pclose(FILE *stream) {
  __model_stream_check(stream);
  stream->open = 0;
  return __foghorn_nondet_int();
}
