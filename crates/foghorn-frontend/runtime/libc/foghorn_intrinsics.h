/* The vocabulary of the libc models: what they may ask of the verifier.
 *
 * The front end turns each call below into an IR instruction; none of them has a body. The models
 * include no system header, so that one text compiles the same for every data model. Functions
 * that models share across files begin with `__model_`.
 */
#ifndef FOGHORN_INTRINSICS_H
#define FOGHORN_INTRINSICS_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;
typedef __builtin_va_list va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#define va_end(list) __builtin_va_end(list)
#define NULL ((void *)0)
#define INT_MAX __INT_MAX__
#define SIZE_MAX __SIZE_MAX__

/* A fresh heap object of n bytes, uninitialised, never null; released by __foghorn_free. */
void *__foghorn_alloc(size_t n);
/* A fresh object of n bytes, uninitialised, that lives as long as the program and cannot be freed;
 * the alignment is a constant. */
void *__foghorn_alloc_permanent(size_t n, size_t align);
/* Releases the object that p is the start of; null is accepted. */
void __foghorn_free(void *p);
/* Whether the n bytes at p lie within one live object. True for n = 0. */
_Bool __foghorn_is_dereferenceable(const void *p, size_t n);
size_t __foghorn_object_size(const void *p);
ptrdiff_t __foghorn_object_offset(const void *p);
_Bool __foghorn_same_object(const void *p, const void *q);

/* Checks of kind library-precondition and overlap, reported at the caller's line. */
void __foghorn_check_library(_Bool condition);
void __foghorn_check_overlap(_Bool condition);
void __foghorn_assume(_Bool condition);
/* Check of kind unsupported: this model cannot do what C promises here. */
_Noreturn void __foghorn_unsupported(const char *construct);

/* Values from the outside world. */
_Bool __foghorn_nondet_bool(void);
unsigned char __foghorn_nondet_uchar(void);
int __foghorn_nondet_int(void);
unsigned __foghorn_nondet_uint(void);
long __foghorn_nondet_long(void);
size_t __foghorn_nondet_size(void);
/* n bytes at p get fresh values; checks that they may be written. */
void __foghorn_havoc(void *p, size_t n);

/* Where a program is verified (FOGHORN_CHOSEN_INPUT), what it reads is chosen by functions that the
 * models declare where they need them: `__foghorn_stdin_FORM` for standard input, `__foghorn_file_FORM`
 * for all other streams and descriptors, where FORM says how the choice becomes bytes
 * (foghorn-witness, stream.rs), and `__foghorn_library_NAME` for a result of the library function NAME
 * that is no text. */

/* Bytes to the outside (1: standard output, 2: standard error; others are read and dropped). */
long __foghorn_write(int fd, const void *p, size_t n);
/* Bytes from standard input: the number read, 0 at its end, -1 on error. */
long __foghorn_read(int fd, void *p, size_t n);
/* Calls the destructors of the whole program, as its end does. */
void __foghorn_run_destructors(void);
_Noreturn void __foghorn_exit(int code);
_Noreturn void __foghorn_abort(void);
/* snprintf(p, capacity, specification, value) for one floating-point conversion. */
int __foghorn_format_double(char *p, size_t capacity, const char *specification, double value);

/* Recognised by the front end, which also decides whether they can fail. */
void *malloc(size_t n);
void *calloc(size_t count, size_t n);
void free(void *p);

/* errno.c */
int *__errno_location(void);
#define errno (*__errno_location())
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define EBADF 9
#define ENOMEM 12
#define EINVAL 22
#define EMFILE 24
#define EDOM 33
#define ERANGE 34
#define ENOSYS 38

/* The library's precondition that n bytes at p may be accessed. */
#define REQUIRE_BYTES(p, n) __foghorn_check_library(__foghorn_is_dereferenceable((p), (n)))

/* What a comparison of the library returns: C promises the sign of the difference and no more. */
static inline int __model_sign(int difference) {
  int beyond = (int)(__foghorn_nondet_uint() >> 1);
  if (difference < 0)
    return -1 - beyond;
  return difference == 0 ? 0 : beyond == INT_MAX ? INT_MAX : 1 + beyond;
}

#endif
