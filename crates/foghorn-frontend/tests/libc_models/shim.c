/* The intrinsics of the libc models on a real machine, so that the models can be compared with the
 * C library there. Built with AddressSanitizer, which knows what is dereferenceable and how large an
 * allocation is. A failing check jumps back to the test that expects one, or ends the test run. */
#include "shim.h"

#include <sanitizer/allocator_interface.h>
#include <sanitizer/asan_interface.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *shim_expected;
jmp_buf shim_back;
char shim_output[1 << 16];
size_t shim_output_used;
const char *shim_input = "";

void *__foghorn_alloc(size_t n) { return malloc(n); }

/* They are never freed, and no leak. */
void *__foghorn_alloc_permanent(size_t n, size_t align) {
  static void *all[64];
  static size_t count;
  (void)align;
  if (count == sizeof all / sizeof *all)
    abort();
  void *object = malloc(n);
  memset(object, 'h', n);
  return all[count++] = object;
}

void __foghorn_free(void *p) { free(p); }

_Bool __foghorn_is_dereferenceable(const void *p, size_t n) {
  return n == 0 || (p != NULL && __asan_region_is_poisoned((void *)p, n) == NULL);
}

size_t __foghorn_object_size(const void *p) { return __sanitizer_get_allocated_size(p); }

static const char *object_start(const void *p) { return __sanitizer_get_allocated_begin(p); }

/* What is not on the heap counts as one object that starts at address zero. */
ptrdiff_t __foghorn_object_offset(const void *p) { return (const char *)p - object_start(p); }

_Bool __foghorn_same_object(const void *p, const void *q) {
  return object_start(p) == object_start(q);
}

static void check(const char *kind, _Bool condition) {
  if (condition)
    return;
  if (shim_expected != NULL && strcmp(shim_expected, kind) == 0)
    longjmp(shim_back, 1);
  fprintf(stderr, "unexpected failure of a check: %s\n", kind);
  abort();
}

void __foghorn_check_library(_Bool condition) { check("library-precondition", condition); }

void __foghorn_check_overlap(_Bool condition) { check("overlap", condition); }

void __foghorn_assume(_Bool condition) { check("assume", condition); }

_Noreturn void __foghorn_unsupported(const char *construct) {
  (void)construct;
  check("unsupported", 0);
  abort();
}

_Bool __foghorn_nondet_bool(void) { return 0; }

unsigned char __foghorn_nondet_uchar(void) { return 'x'; }

int __foghorn_nondet_int(void) { return 7; }

unsigned __foghorn_nondet_uint(void) { return 7; }

long __foghorn_nondet_long(void) { return 7; }

size_t __foghorn_nondet_size(void) { return 7; }

_Bool __foghorn_file_refuses(void) { return 0; }

int __foghorn_library_rand(void) { return 7; }

int __foghorn_library_rand_r(void) { return 7; }

long __foghorn_library_random(void) { return 7; }

long __foghorn_library_lrand48(void) { return 7; }

long __foghorn_library_mrand48(void) { return 7; }

double __foghorn_library_drand48(void) { return 0.5; }

unsigned __foghorn_library_arc4random(void) { return 7; }

long __foghorn_library_time(void) { return 7; }

long __foghorn_library_clock(void) { return 7; }

long __foghorn_library_seconds(void) { return 7; }

long __foghorn_library_parts(void) { return 7; }

int __foghorn_library_open(void) { return 7; }

int __foghorn_library_creat(void) { return 7; }

int __foghorn_library_close(void) { return 0; }

int __foghorn_library_dup(void) { return 7; }

int __foghorn_library_fsync(void) { return 0; }

int __foghorn_library_ftruncate(void) { return 0; }

int __foghorn_library_isatty(void) { return 0; }

int __foghorn_library_access(void) { return 0; }

int __foghorn_library_unlink(void) { return 0; }

int __foghorn_library_rmdir(void) { return 0; }

int __foghorn_library_chdir(void) { return 0; }

int __foghorn_library_mkdir(void) { return 0; }

int __foghorn_library_getpid(void) { return 7; }

int __foghorn_library_getppid(void) { return 7; }

int __foghorn_library_fseek(void) { return 0; }

int __foghorn_library_remove(void) { return 0; }

int __foghorn_library_rename(void) { return 0; }

long __foghorn_library_lseek(void) { return 7; }

long __foghorn_library_ftell(void) { return 7; }
size_t __foghorn_nondet_argument_count(void) { return 2; }

size_t __foghorn_nondet_argument_length(void) { return 7; }

size_t __foghorn_nondet_environment_count(void) { return 2; }

size_t __foghorn_nondet_environment_length(void) { return 7; }

int __foghorn_nondet_environment_has(void) { return 1; }

void __foghorn_havoc(void *p, size_t n) { memset(p, 'h', n); }

long __foghorn_write(int fd, const void *p, size_t n) {
  (void)fd;
  if (shim_output_used + n > sizeof shim_output)
    abort();
  memcpy(shim_output + shim_output_used, p, n);
  shim_output_used += n;
  return (long)n;
}

long __foghorn_read(int fd, void *p, size_t n) {
  (void)fd;
  size_t i = 0;
  for (; i < n && *shim_input != 0; i++)
    ((char *)p)[i] = *shim_input++;
  return (long)i;
}

void __foghorn_run_destructors(void) {}

_Noreturn void __foghorn_exit(int code) { exit(code); }

_Noreturn void __foghorn_abort(void) { abort(); }

int __foghorn_format_double(char *p, size_t capacity, const char *specification, double value) {
  return snprintf(p, capacity, specification, value);
}

void *shim_memcpy(void *to, const void *from, size_t n) { return memcpy(to, from, n); }

void *shim_memmove(void *to, const void *from, size_t n) { return memmove(to, from, n); }

void *shim_memset(void *block, int byte, size_t n) { return memset(block, byte, n); }
