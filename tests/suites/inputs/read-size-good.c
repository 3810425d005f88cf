// There is as much room as read is told.
// check:   assertions memory-safety undefined
// expect:  safe
// engines: bmc
#include <unistd.h>

int main(void) {
  char bytes[4];
  if (read(0, bytes, 4) < 0)
    return 1;
  return 0;
}
