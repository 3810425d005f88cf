/* What CBMC knows without being told, for files that speak its dialect. */
#ifndef FOGHORN_PRELUDE_H
#define FOGHORN_PRELUDE_H

#ifdef __cplusplus
extern "C" {
typedef bool __CPROVER_bool;
#else
typedef _Bool __CPROVER_bool;
#endif
typedef __SIZE_TYPE__ __CPROVER_size_t;
typedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;

void *__CPROVER_allocate(__CPROVER_size_t size, __CPROVER_bool zero);
__CPROVER_size_t __CPROVER_POINTER_OBJECT(const void *pointer);
__CPROVER_ssize_t __CPROVER_POINTER_OFFSET(const void *pointer);
__CPROVER_size_t __CPROVER_OBJECT_SIZE(const void *pointer);
__CPROVER_bool __CPROVER_DYNAMIC_OBJECT(const void *pointer);
__CPROVER_bool __CPROVER_LIVE_OBJECT(const void *pointer);
__CPROVER_bool __CPROVER_same_object(const void *left, const void *right);
void __CPROVER_array_copy(const void *to, const void *from);
void __CPROVER_array_replace(const void *to, const void *from);
void __CPROVER_havoc_object(void *pointer);
void __CPROVER_havoc_slice(void *pointer, __CPROVER_size_t size);

/* Every element from the pointer to the end of its object. */
#define __CPROVER_array_set(pointer, value)                                                        \
  do {                                                                                             \
    __typeof__(*(pointer)) *foghorn_array = (pointer), foghorn_element = (value);                  \
    __CPROVER_size_t foghorn_count = (__CPROVER_OBJECT_SIZE(foghorn_array) -                       \
                                      (__CPROVER_size_t)__CPROVER_POINTER_OFFSET(foghorn_array)) / \
                                     sizeof *foghorn_array;                                        \
    for (__CPROVER_size_t foghorn_index = 0; foghorn_index < foghorn_count; foghorn_index++)       \
      foghorn_array[foghorn_index] = foghorn_element;                                              \
  } while (0)

#ifdef __cplusplus
}
#endif
#endif
