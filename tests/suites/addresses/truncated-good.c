// The lower half of an address is aligned as the address is, and the whole is not null.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>

int main(void) {
  int x = 0;
  uintptr_t address = (uintptr_t)&x;
  unsigned low = (unsigned)address, high = (unsigned)(address >> 32);
  assert(low % 4 == 0);
  assert(low != 0 || high != 0);
  return x;
}
