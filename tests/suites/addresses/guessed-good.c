// A number within a variable is no multiple of its alignment unless it is its start.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>

unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  int x = 1;
  uintptr_t any = __VERIFIER_nondet_ulong(), own = (uintptr_t)&x;
  if (any - own < 4 && any % 4 == 0)
    assert(any == own);
  return x - 1;
}
