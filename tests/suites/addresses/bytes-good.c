// The bytes of a pointer, copied one by one, are the pointer.
// check:   assertions memory-safety
// expect:  safe
// engines: bmc
#include <assert.h>
#include <stdint.h>
#include <string.h>

int main(void) {
  int x = 5, *p = &x, *q;
  unsigned char bytes[sizeof p];
  memcpy(bytes, &p, sizeof p);
  assert(bytes[0] % 4 == 0);
  unsigned char *copy = (unsigned char *)&q;
  for (unsigned i = 0; i < sizeof p; i++)
    copy[i] = bytes[i];
  assert(q == &x && *q == 5);
  return 0;
}
