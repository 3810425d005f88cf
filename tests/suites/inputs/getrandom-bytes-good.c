// At most as many bytes come as were asked for.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <sys/random.h>

int main(void) {
  unsigned key = 1;
  ssize_t count = getrandom(&key, sizeof key, 0);
  assert(count <= 4 && (count > 0 || key == 1));
  return 0;
}
