// An option parser that keeps to its levels.
// check:   memory-safety
// expect:  safe
// engines: run
// args:    -v -v -v
// stdout: normal
// stdout: loud
// stdout: loud
#include <stdio.h>
#include <unistd.h>

static const char *levels[] = {"quiet", "normal", "loud"};

int main(int argc, char **argv) {
  int level = 0, option;
  while ((option = getopt(argc, argv, "v")) == 'v')
    puts(levels[level < 2 ? ++level : level]);
  return 0;
}
