// A file may hold anything, or nothing.
// check:   assertions
// expect:  unsafe assertion @ line 16
// engines: bmc
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  char byte = 'x';
  int file = open("state", O_RDONLY);
  if (file < 0)
    return 1;
  ssize_t count = read(file, &byte, 1);
  close(file);
  assert(byte != 'k');
  return 0;
}
