// The result of a read is looked at first.
// check:   assertions memory-safety undefined
// expect:  safe
// engines: bmc
#include <unistd.h>

int main(void) {
  char text[9];
  ssize_t count = read(0, text, 8);
  if (count >= 0)
    text[count] = 0;
  return 0;
}
