// What is not read stays.
// check:   assertions
// expect:  safe
// engines: bmc
#include <assert.h>
#include <unistd.h>

int main(void) {
  char bytes[4] = "...";
  ssize_t count = read(0, bytes, 3);
  assert(bytes[3] == 0 && (count > 0 || bytes[0] == '.'));
  return 0;
}
