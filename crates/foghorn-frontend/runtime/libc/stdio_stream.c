/* Streams: the three standard ones, and files.
 *
 * Where a program is executed, standard input and output are the interpreter's own. Where it is
 * verified (FOGHORN_CHOSEN_INPUT) each byte of standard input is a choice like any other input, and
 * may be the end or an error; what has ended stays so. A file's contents are not modelled: each byte
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

#ifdef FOGHORN_CHOSEN_INPUT

unsigned short __foghorn_stdin_byte(void);
unsigned short __foghorn_file_byte(void);
unsigned short __foghorn_stdin_following(void);
unsigned short __foghorn_file_following(void);
size_t __foghorn_stdin_block(void);
size_t __foghorn_file_block(void);
_Bool __foghorn_stdin_fails(void);
_Bool __foghorn_file_fails(void);

#define OF_STREAM(stream, form)                                                                    \
  ((stream)->descriptor == 0 ? __foghorn_stdin_##form() : __foghorn_file_##form())

void __model_stream_end(FILE *stream, _Bool failed) {
  stream->ended = failed ? STREAM_FAILED : STREAM_ENDED;
  stream->flags |= failed ? STREAM_IN_ERROR : STREAM_AT_END;
}

int __model_stream_decode(FILE *stream, unsigned short chosen) {
  if (chosen >= 1 && chosen <= 256)
    return chosen - 1;
  __model_stream_end(stream, chosen != 0);
  return EOF;
}

int __model_stream_following(FILE *stream) {
  return __model_stream_decode(stream, OF_STREAM(stream, following));
}

static _Bool is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int next_byte(FILE *stream) {
  if (stream->ended != STREAM_GOES_ON) {
    if (stream->ended == STREAM_ENDED)
      stream->flags |= STREAM_AT_END;
    return EOF;
  }
  int byte = __model_stream_decode(stream, OF_STREAM(stream, byte));
  if (stream->no_space) {
    __foghorn_assume(byte != EOF && !is_space(byte));
    stream->no_space = 0;
  }
  return byte;
}

size_t __model_stream_block(FILE *stream, char *to, size_t n) {
  size_t done = 0;
  if (n > 0 && (stream->pushed_back != EOF || stream->no_space))
    to[done++] = (char)__model_stream_next(stream);
  if (stream->ended != STREAM_GOES_ON || done == n)
    return done;
  size_t count = OF_STREAM(stream, block), rest = n - done;
  if (count > rest)
    count = rest;
  __foghorn_havoc(to + done, count);
  if (count < rest)
    __model_stream_end(stream, OF_STREAM(stream, fails));
  return done + count;
}

#else

static int next_byte(FILE *stream) {
  unsigned char byte = 0;
  if (stream->descriptor < FIRST_DESCRIPTOR)
    return __foghorn_read(stream->descriptor, &byte, 1) == 1 ? byte : EOF;
  /* The end stays the end until clearerr or a change of place. */
  if ((stream->flags & STREAM_AT_END) || __foghorn_nondet_bool())
    return EOF;
  return __foghorn_nondet_uchar();
}

size_t __model_stream_block(FILE *stream, char *to, size_t n) {
  for (size_t i = 0; i < n; i++) {
    int c = __model_stream_next(stream);
    if (c == EOF)
      return i;
    to[i] = (char)c;
  }
  return n;
}

#endif

int __model_stream_next(FILE *stream) {
  int byte = stream->pushed_back;
  stream->pushed_back = EOF;
  if (byte == EOF) {
    byte = next_byte(stream);
    if (byte == EOF && stream->ended == STREAM_GOES_ON)
      stream->flags |= STREAM_AT_END;
  }
  return byte;
}

int __model_stream_get(FILE *stream) {
  __model_stream_check(stream);
  return __model_stream_next(stream);
}

void __model_stream_unget(FILE *stream, int byte) {
  __model_stream_check(stream);
  if (byte == EOF)
    return;
  stream->pushed_back = (unsigned char)byte;
  stream->looked_ahead = 0;
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

_Bool __foghorn_file_refuses(void);

FILE *fopen(const char *path, const char *mode) {
  read_string(path);
  read_string(mode);
  if (__foghorn_file_refuses()) {
    errno = ENOENT;
    return NULL;
  }
  return open_stream(-1);
}

FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }

FILE *popen(const char *command, const char *mode) { return fopen(command, mode); }

FILE *tmpfile(void) { return __foghorn_file_refuses() ? NULL : open_stream(-1); }

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
  if (__foghorn_file_refuses()) {
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
