// A read may fail, and -1 is no index.
// check:   assertions memory-safety undefined
// expect:  unsafe array-bounds @ line 10
// engines: bmc
#include <unistd.h>

int main(void) {
  char text[9];
  ssize_t count = read(0, text, 8);
  text[count] = 0;
  return 0;
}
