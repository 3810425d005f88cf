/* <stdlib.h>: pseudo-random numbers.
 *
 * Any number in the promised range, whatever the seed: C fixes neither algorithm nor sequence, so
 * no proof may rest on them. Interpreted programs therefore print other numbers than native ones.
 */
#include "foghorn_intrinsics.h"

#define RAND_MAX 2147483647

static int any(void) {
  int value = __foghorn_nondet_int();
  __foghorn_assume(value >= 0 && value <= RAND_MAX);
  return value;
}

int rand(void) { return any(); }

void srand(unsigned seed) { (void)seed; }

int rand_r(unsigned *seed) {
  *seed = __foghorn_nondet_uint();
  return any();
}

long random(void) { return any(); }

void srandom(unsigned seed) { (void)seed; }

/* In [0, 1). */
double drand48(void) { return any() / (RAND_MAX + 1.0); }

long lrand48(void) { return any(); }

long mrand48(void) { return __foghorn_nondet_int(); }

void srand48(long seed) { (void)seed; }

unsigned arc4random(void) { return __foghorn_nondet_uint(); }

unsigned arc4random_uniform(unsigned bound) {
  unsigned value = __foghorn_nondet_uint();
  __foghorn_assume(bound == 0 ? value == 0 : value < bound);
  return value;
}
