// A number that happens to be the address of a variable.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <stdint.h>

unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
  int x = 1;
  assert(__VERIFIER_nondet_ulong() != (uintptr_t)&x);
  return x - 1;
}
