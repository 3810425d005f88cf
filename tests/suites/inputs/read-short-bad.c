// A read may bring less than was asked for.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <unistd.h>

int main(void) {
  char bytes[4];
  ssize_t count = read(0, bytes, sizeof bytes);
  assert(count <= 0 || count == 4);
  return 0;
}
