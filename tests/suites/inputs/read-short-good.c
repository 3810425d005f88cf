// A read brings at most what was asked for.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <unistd.h>

int main(void) {
  char bytes[4];
  ssize_t count = read(0, bytes, sizeof bytes);
  assert(count >= -1 && count <= 4);
  return 0;
}
