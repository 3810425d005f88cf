/* The verifier's functions on a real machine: what must not happen ends the program. */
#include <stdlib.h>

__attribute__((weak)) void reach_error(void) { abort(); }

__attribute__((weak)) void __VERIFIER_error(void) { abort(); }

__attribute__((weak)) void __VERIFIER_assert(int condition) {
  if (!condition)
    abort();
}

__attribute__((weak)) void __CPROVER_assert(int condition, const char *message) {
  (void)message;
  if (!condition)
    abort();
}
