/* Included before every C file: the types that CBMC builds in. The functions of all dialects are
 * left undeclared on purpose, since programs declare them themselves and in their own ways. */
#ifndef FOGHORN_PRELUDE_H
#define FOGHORN_PRELUDE_H

#ifdef __cplusplus
typedef bool __CPROVER_bool;
#else
typedef _Bool __CPROVER_bool;
#endif
typedef __SIZE_TYPE__ __CPROVER_size_t;
typedef __PTRDIFF_TYPE__ __CPROVER_ssize_t;

#endif
