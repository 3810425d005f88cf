// A random key may be zero.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <sys/random.h>

int main(void) {
  unsigned key = 1;
  ssize_t count = getrandom(&key, sizeof key, 0);
  assert(key != 0);
  return 0;
}
