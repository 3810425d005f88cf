/* SeaHorn's interface, in our own words, so that programs written for it compile unchanged. What
 * each name means is in docs/guide/dialects.md. */
#ifndef FOGHORN_SEAHORN_SEAHORN_H
#define FOGHORN_SEAHORN_SEAHORN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Errors, assertions and assumptions. */
void __VERIFIER_error(void);
void __VERIFIER_assume(int condition);
void __SEA_assume(bool condition);
void __VERIFIER_assert(bool condition);
void __VERIFIER_assert_not(bool condition);
void __VERIFIER_assert_if(bool antecedent, bool condition);
void sea_assert_if(bool antecedent, bool condition);

/* Memory: what is allocated, written, read, and a shadow byte of one's own. */
bool sea_is_dereferenceable(const void *p, intptr_t size);
bool sea_is_alloc(char *p);
bool sea_is_modified(char *p);
void sea_reset_modified(char *p);
bool sea_is_read(char *p);
void sea_reset_read(char *p);
void sea_tracking_on(void);
void sea_tracking_off(void);
void sea_set_shadowmem(char slot, char *p, char value);
char sea_get_shadowmem(char slot, char *p);

#ifdef __cplusplus
}
#endif

#define SEA_NONDET_FN_ATTR __attribute__((noinline))

#define sea_is_deref sea_is_dereferenceable
#define assume __SEA_assume

#ifdef VACCHECK
#define sassert(condition)                                                                         \
  (void)((__VERIFIER_assert(condition), (condition)) || (__VERIFIER_error(), 0))
#else
#ifdef SEA_SYNTH
#define PARTIAL_FN __attribute__((annotate("partial"))) __attribute__((noinline))
#endif
#define sassert(condition) (void)((condition) || (__VERIFIER_error(), 0))
#endif

#endif
