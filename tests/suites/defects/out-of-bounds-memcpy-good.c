// Repaired twin of: copies as much as the source holds, not as the destination takes.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <string.h>

int main(void) {
  char source[16] = "fifteen letters";
  char destination[16];
  memcpy(destination, source, sizeof source);
  return destination[0] != 'f';
}
