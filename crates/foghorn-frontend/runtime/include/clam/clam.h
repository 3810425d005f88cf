/* Clam's interface, in our own words, so that programs written for it compile unchanged. What each
 * name means is in docs/guide/dialects.md. */
#ifndef FOGHORN_CLAM_CLAM_H
#define FOGHORN_CLAM_CLAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NONDET_FN_ATTR
#define VERIFIER_FN_ATTR

void __CRAB_assert(int condition);
void __CRAB_assume(int condition);
__attribute__((noreturn)) void __VERIFIER_error(void);

bool nd_bool(void);
int nd_int(void);
size_t nd_size_t(void);
int8_t nd_int8_t(void);
int16_t nd_int16_t(void);
int32_t nd_int32_t(void);
int64_t nd_int64_t(void);
uint8_t nd_uint8_t(void);
uint16_t nd_uint16_t(void);
uint32_t nd_uint32_t(void);
uint64_t nd_uint64_t(void);
void *nd_voidp(void);

bool sea_is_dereferenceable(const void *p, intptr_t size);

/* Hints to the abstract interpreter. */
void __CRAB_intrinsic_print_invariants(int first, ...);
void __CRAB_intrinsic_value_partition_start(int first, ...);
void __CRAB_intrinsic_value_partition_end(int first, ...);

#define CRAB_PRINT_INVARIANTS __CRAB_intrinsic_print_invariants
#define CRAB_VALUE_PARTITION_START __CRAB_intrinsic_value_partition_start
#define CRAB_VALUE_PARTITION_END __CRAB_intrinsic_value_partition_end

#ifdef __cplusplus
}
#endif

#endif
