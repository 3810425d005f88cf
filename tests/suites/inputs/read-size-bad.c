// There is less room than read is told.
// check:   assertions memory-safety undefined
// expect:  unsafe library-precondition @ line 9
// engines: bmc
#include <unistd.h>

int main(void) {
  char bytes[4];
  if (read(0, bytes, 5) < 0)
    return 1;
  return 0;
}
