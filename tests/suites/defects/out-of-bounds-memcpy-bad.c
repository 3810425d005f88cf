// Copies as much as the source holds, not as the destination takes.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 12
// engines:   run bmc
// sanitizer: address

#include <string.h>

int main(void) {
  char source[16] = "fifteen letters";
  char destination[8];
  memcpy(destination, source, sizeof source);
  return destination[0] != 'f';
}
