/* <stdlib.h>: pseudo-random numbers.
 *
 * Any number in the promised range, whatever the seed: C fixes neither algorithm nor sequence, so
 * no proof may rest on them. Interpreted programs therefore print other numbers than native ones.
 */
#include "foghorn_intrinsics.h"

#define RAND_MAX 2147483647

int __foghorn_library_rand(void);
long __foghorn_library_random(void);
long __foghorn_library_lrand48(void);
long __foghorn_library_mrand48(void);
int __foghorn_library_rand_r(void);
double __foghorn_library_drand48(void);
unsigned __foghorn_library_arc4random(void);

static int within(long value) {
  __foghorn_assume(value >= 0 && value <= RAND_MAX);
  return (int)value;
}

int rand(void) { return within(__foghorn_library_rand()); }

void srand(unsigned seed) { (void)seed; }

int rand_r(unsigned *seed) {
  *seed = __foghorn_nondet_uint();
  return within(__foghorn_library_rand_r());
}

long random(void) { return within(__foghorn_library_random()); }

void srandom(unsigned seed) { (void)seed; }

/* In [0, 1). */
double drand48(void) {
  double value = __foghorn_library_drand48();
  __foghorn_assume(value >= 0 && value < 1);
  return value;
}

long lrand48(void) { return within(__foghorn_library_lrand48()); }

long mrand48(void) {
  long value = __foghorn_library_mrand48();
  __foghorn_assume(value >= -2147483647 - 1 && value <= 2147483647);
  return value;
}

void srand48(long seed) { (void)seed; }

unsigned arc4random(void) { return __foghorn_library_arc4random(); }

unsigned arc4random_uniform(unsigned bound) {
  unsigned value = __foghorn_nondet_uint();
  __foghorn_assume(bound == 0 ? value == 0 : value < bound);
  return value;
}
