// Repaired twin of: compares more bytes than the shorter of two blocks has.
// check:     memory-safety
// expect:    safe
// engines:   run bmc
// sanitizer: none

#include <string.h>

int main(void) {
  char magic[4] = {'F', 'O', 'G', 0};
  char file[4] = {'F', 'O', 'G', 0};
  return memcmp(file, magic, sizeof magic) != 0;
}
