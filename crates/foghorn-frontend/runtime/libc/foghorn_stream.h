/* What the stdio models share: a stream, and moving bytes through it (stdio_stream.c). */
#ifndef FOGHORN_STREAM_H
#define FOGHORN_STREAM_H

#include "foghorn_intrinsics.h"

#define EOF (-1)

/* glibc's inline functions look into the first fields of its FILE: the flags, whose end-of-file and
 * error bits are glibc's, and buffer pointers, which are null here so that every byte goes through
 * a call. */
typedef struct foghorn_file {
  int flags;
  char buffer_pointers[252];
  int descriptor;
  /* The byte that ungetc gave back, or EOF. */
  int pushed_back;
  _Bool open;
  /* Whether the source has no more, and why. */
  unsigned char ended;
  /* Whether only a conversion of scanf has seen the byte that was given back. */
  _Bool looked_ahead;
  /* Whether the next byte is known to be there and to be no white space. */
  _Bool no_space;
} FILE;

enum { STREAM_GOES_ON, STREAM_ENDED, STREAM_FAILED };

#define STREAM_AT_END 0x10
#define STREAM_IN_ERROR 0x20

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;

/* The stream must be open: null, closed streams and what is no stream fail a precondition. */
void __model_stream_check(FILE *stream);
/* The next byte, or EOF. */
int __model_stream_get(FILE *stream);
/* The same for a stream that was checked. */
int __model_stream_next(FILE *stream);
/* Up to n bytes; fewer only at the end or on an error. */
size_t __model_stream_block(FILE *stream, char *to, size_t n);
/* Gives back the byte that was read last; EOF is not given back. */
void __model_stream_unget(FILE *stream, int byte);
/* The number of bytes written: n, or less on an error of a file. */
size_t __model_stream_put(FILE *stream, const char *bytes, size_t n);

#ifdef FOGHORN_CHOSEN_INPUT
/* The byte that a choice stands for: 0 is the end, 1 to 256 are the bytes, the rest is an error. So a
 * run that is short of choices reads the end. */
int __model_stream_decode(FILE *stream, unsigned short chosen);
/* The next byte, after something that a newline is likely to follow. */
int __model_stream_following(FILE *stream);
/* The source has no more. */
void __model_stream_end(FILE *stream, _Bool failed);
#endif

#endif
