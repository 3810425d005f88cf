/* The names behind _FORTIFY_SOURCE for <string.h> and <stdio.h>: the plain function, after the check
 * that the compiler's knowledge of the destination's size allows. */
#include "foghorn_stream.h"

void *memcpy(void *to, const void *from, size_t n);
void *mempcpy(void *to, const void *from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *block, int byte, size_t n);
char *strcpy(char *to, const char *from);
char *stpcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t n);
char *stpncpy(char *to, const char *from, size_t n);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t n);
char *fgets(char *line, int size, FILE *stream);
size_t fread(void *block, size_t size, size_t count, FILE *stream);

void *__memcpy_chk(void *to, const void *from, size_t n, size_t size) {
  __foghorn_check_library(n <= size);
  return memcpy(to, from, n);
}

void *__mempcpy_chk(void *to, const void *from, size_t n, size_t size) {
  __foghorn_check_library(n <= size);
  return mempcpy(to, from, n);
}

void *__memmove_chk(void *to, const void *from, size_t n, size_t size) {
  __foghorn_check_library(n <= size);
  return memmove(to, from, n);
}

void *__memset_chk(void *block, int byte, size_t n, size_t size) {
  __foghorn_check_library(n <= size);
  return memset(block, byte, n);
}

char *__strncpy_chk(char *to, const char *from, size_t n, size_t size) {
  __foghorn_check_library(n <= size);
  return strncpy(to, from, n);
}

char *__stpncpy_chk(char *to, const char *from, size_t n, size_t size) {
  __foghorn_check_library(n <= size);
  return stpncpy(to, from, n);
}

/* The length is not known to the compiler; the copy itself is checked against the object. */
char *__strcpy_chk(char *to, const char *from, size_t size) {
  (void)size;
  return strcpy(to, from);
}

char *__stpcpy_chk(char *to, const char *from, size_t size) {
  (void)size;
  return stpcpy(to, from);
}

char *__strcat_chk(char *to, const char *from, size_t size) {
  (void)size;
  return strcat(to, from);
}

char *__strncat_chk(char *to, const char *from, size_t n, size_t size) {
  (void)size;
  return strncat(to, from, n);
}

char *__fgets_chk(char *line, size_t line_size, int size, FILE *stream) {
  __foghorn_check_library(size <= 0 || (size_t)size <= line_size);
  return fgets(line, size, stream);
}

size_t __fread_chk(void *block, size_t block_size, size_t size, size_t count, FILE *stream) {
  __foghorn_check_library(size == 0 || count <= block_size / size);
  return fread(block, size, count, stream);
}
