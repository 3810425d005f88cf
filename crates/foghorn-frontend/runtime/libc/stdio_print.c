/* <stdio.h>: the printf family, on top of stdio_format.c. */
#include "foghorn_format.h"

int vfprintf(FILE *stream, const char *format, va_list list) {
  struct format_sink sink;
  struct format_arguments arguments;
  __model_stream_check(stream);
  sink.stream = stream;
  sink.length = 0;
  sink.chunk_used = 0;
  va_copy(arguments.list, list);
  int n = __model_format(&sink, format, &arguments);
  va_end(arguments.list);
  return n;
}

/* The terminator goes where the text ends or where the buffer does. */
int vsnprintf(char *buffer, size_t capacity, const char *format, va_list list) {
  struct format_sink sink;
  struct format_arguments arguments;
  sink.stream = NULL;
  sink.buffer = buffer;
  sink.capacity = capacity;
  sink.length = 0;
  sink.chunk_used = 0;
  va_copy(arguments.list, list);
  int n = __model_format(&sink, format, &arguments);
  va_end(arguments.list);
  if (capacity > 0)
    buffer[sink.length < capacity ? sink.length : capacity - 1] = 0;
  return n;
}

int vprintf(const char *format, va_list list) { return vfprintf(stdout, format, list); }

/* No bound but the object's: a write past its end is found where it happens. */
int vsprintf(char *buffer, const char *format, va_list list) {
  return vsnprintf(buffer, SIZE_MAX, format, list);
}

int vdprintf(int descriptor, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  int n = vsnprintf(NULL, 0, format, list);
  if (n >= 0) {
    char *text = __builtin_alloca((size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, again);
    __foghorn_write(descriptor, text, (size_t)n);
  }
  va_end(again);
  return n;
}

int vasprintf(char **result, const char *format, va_list list) {
  va_list again;
  va_copy(again, list);
  int n = vsnprintf(NULL, 0, format, list);
  char *text = n < 0 ? NULL : malloc((size_t)n + 1);
  if (text == NULL) {
    va_end(again);
    return -1;
  }
  vsnprintf(text, (size_t)n + 1, format, again);
  va_end(again);
  *result = text;
  return n;
}

/* Each variadic name calls the one that takes a list. */
#define FORWARD(call)                                                                              \
  va_list list;                                                                                    \
  va_start(list, format);                                                                          \
  int n = call;                                                                                    \
  va_end(list);                                                                                    \
  return n

int printf(const char *format, ...) { FORWARD(vfprintf(stdout, format, list)); }

int fprintf(FILE *stream, const char *format, ...) { FORWARD(vfprintf(stream, format, list)); }

int dprintf(int descriptor, const char *format, ...) { FORWARD(vdprintf(descriptor, format, list)); }

int sprintf(char *buffer, const char *format, ...) { FORWARD(vsprintf(buffer, format, list)); }

int snprintf(char *buffer, size_t capacity, const char *format, ...) {
  FORWARD(vsnprintf(buffer, capacity, format, list));
}

int asprintf(char **result, const char *format, ...) { FORWARD(vasprintf(result, format, list)); }

/* The names behind _FORTIFY_SOURCE: a flag, and the size of the buffer as the compiler saw it. */
int __printf_chk(int flag, const char *format, ...) {
  (void)flag;
  FORWARD(vfprintf(stdout, format, list));
}

int __fprintf_chk(FILE *stream, int flag, const char *format, ...) {
  (void)flag;
  FORWARD(vfprintf(stream, format, list));
}

int __sprintf_chk(char *buffer, int flag, size_t size, const char *format, ...) {
  (void)flag, (void)size;
  FORWARD(vsprintf(buffer, format, list));
}

int __snprintf_chk(char *buffer, size_t capacity, int flag, size_t size, const char *format, ...) {
  (void)flag;
  __foghorn_check_library(capacity <= size);
  FORWARD(vsnprintf(buffer, capacity, format, list));
}

int __vprintf_chk(int flag, const char *format, va_list list) {
  (void)flag;
  return vfprintf(stdout, format, list);
}

int __vfprintf_chk(FILE *stream, int flag, const char *format, va_list list) {
  (void)flag;
  return vfprintf(stream, format, list);
}

int __vsprintf_chk(char *buffer, int flag, size_t size, const char *format, va_list list) {
  (void)flag, (void)size;
  return vsprintf(buffer, format, list);
}

int __vsnprintf_chk(char *buffer, size_t capacity, int flag, size_t size, const char *format,
                    va_list list) {
  (void)flag;
  __foghorn_check_library(capacity <= size);
  return vsnprintf(buffer, capacity, format, list);
}

int __asprintf_chk(char **result, int flag, const char *format, ...) {
  (void)flag;
  FORWARD(vasprintf(result, format, list));
}

int __vasprintf_chk(char **result, int flag, const char *format, va_list list) {
  (void)flag;
  return vasprintf(result, format, list);
}

int __dprintf_chk(int descriptor, int flag, const char *format, ...) {
  (void)flag;
  FORWARD(vdprintf(descriptor, format, list));
}
