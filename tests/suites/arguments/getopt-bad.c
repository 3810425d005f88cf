// An option parser that forgets how often an option may be given: -v -v -v is one too many.
// check:     memory-safety
// expect:    unsafe out-of-bounds @ line 15
// engines:   run bmc
// args:      -v -v -v
// sanitizer: address
#include <stdio.h>
#include <unistd.h>

static const char *levels[] = {"quiet", "normal", "loud"};

int main(int argc, char **argv) {
  int level = 0, option;
  while ((option = getopt(argc, argv, "v")) == 'v')
    puts(levels[++level]);
  return 0;
}
