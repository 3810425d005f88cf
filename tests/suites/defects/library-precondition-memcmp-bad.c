// Compares more bytes than the shorter of two blocks has.
// check:     memory-safety
// expect:    unsafe library-precondition @ line 12
// engines:   run bmc
// sanitizer: address

#include <string.h>

int main(void) {
  char magic[4] = {'F', 'O', 'G', 0};
  char file[2] = {'F', 'O'};
  return memcmp(file, magic, sizeof magic) != 0;
}
