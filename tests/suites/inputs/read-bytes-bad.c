// What is read may be the password.
// check:   assertions
// expect:  unsafe assertion @ line 11
// engines: bmc
#include <assert.h>
#include <unistd.h>

int main(void) {
  char bytes[4] = "...";
  ssize_t count = read(0, bytes, 3);
  assert(count != 3 || bytes[0] != 'k' || bytes[1] != 'e' || bytes[2] != 'y');
  return 0;
}
