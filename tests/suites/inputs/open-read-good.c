// A file brings no more than was asked for.
// check:   assertions
// expect:  safe
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
  assert(count == 1 || byte == 'x');
  return 0;
}
