// Command-line options by getopt.
// check:   memory-safety undefined integer-overflow memory-leak
// expect:  safe
// engines: run
// args:    -v -oout.txt -v rest more
// stdout: 2 out.txt 2 rest

#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  int option, verbose = 0;
  const char *output = "none";
  while ((option = getopt(argc, argv, "vo:")) != -1)
    switch (option) {
    case 'v': verbose++; break;
    case 'o': output = optarg; break;
    default: return 2;
    }
  printf("%d %s %d %s\n", verbose, output, argc - optind, argv[optind]);
  return 0;
}
