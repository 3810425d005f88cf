// The bytes of a pointer in memory are those of its address: the last one need not be 0.
// check:   assertions
// expect:  unsafe assertion @ line 13
// engines: bmc
#include <assert.h>
#include <stdint.h>
#include <string.h>

int main(void) {
  int x = 5, *p = &x;
  unsigned char bytes[sizeof p];
  memcpy(bytes, &p, sizeof p);
  assert(bytes[sizeof p - 1] == 0);
  return 0;
}
