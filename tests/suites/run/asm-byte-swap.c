// The one instruction that byte-order headers write in assembly.
// check:   memory-safety undefined assertions
// expect:  safe
// engines: run bmc

#include <assert.h>
#include <stdint.h>

static uint64_t swap64(uint64_t x) {
  uint64_t result;
  __asm__("bswap %q0" : "=r"(result) : "0"(x));
  return result;
}

static uint32_t swap32(uint32_t x) {
  uint32_t result;
  __asm__("bswap %0" : "=r"(result) : "0"(x));
  return result;
}

int main(void) {
  assert(swap64(0x0102030405060708u) == 0x0807060504030201u);
  assert(swap32(0x01020304u) == 0x04030201u);
  return 0;
}
