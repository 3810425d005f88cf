// Prints the arguments it was given.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run bmc
// bmc:     unknown   FIXME: goes over all arguments, of which there may be any number
// args:    first second --third
// stdout: 4
// stdout: first 5
// stdout: second 6
// stdout: --third 7
// stdout: 1

#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  printf("%d\n", argc);
  for (int i = 1; i < argc; i++)
    printf("%s %zu\n", argv[i], strlen(argv[i]));
  printf("%d\n", argv[argc] == NULL);
  return 0;
}
