// Copies as much of an argument as there is room for.
// check:   memory-safety
// expect:  safe
// engines: run bmc
// args:    0123456789abcdef
// stdout: 0123456789abcde
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  char name[16];
  if (argc > 1) {
    strncpy(name, argv[1], sizeof name - 1);
    name[sizeof name - 1] = 0;
    puts(name);
  }
  return 0;
}
