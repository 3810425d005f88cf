/* Where formatted text goes, and where its arguments come from (stdio_format.c). */
#ifndef FOGHORN_FORMAT_H
#define FOGHORN_FORMAT_H

#include "foghorn_stream.h"

enum { FORMAT_CHUNK = 64 };

/* A stream, written to in chunks, or a buffer of which no byte beyond the capacity is touched. */
struct format_sink {
  FILE *stream;
  char *buffer;
  size_t capacity;
  /* What was emitted so far, including what found no room. */
  size_t length;
  size_t chunk_used;
  char chunk[FORMAT_CHUNK];
};

/* va_list is an array on some machines and then cannot be passed on by reference as such. */
struct format_arguments {
  va_list list;
};

/* Formats everything and returns the length, or -1 when it does not fit an int. */
int __model_format(struct format_sink *sink, const char *format, struct format_arguments *arguments);

#endif
