// Copies an argument of any length into a buffer of sixteen bytes.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 13
// engines:   run bmc
// args:      0123456789abcdef
// sanitizer: address
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char name[16];
  if (argc > 1) {
    strcpy(name, argv[1]);
    puts(name);
  }
  return 0;
}
