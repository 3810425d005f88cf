// Counts options, at most as many as there are arguments.
// check:   assertions
// expect:  safe
// engines: run
// args:    -a b -c
#include <assert.h>

int main(int argc, char **argv) {
  int options = 0;
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '-')
      options++;
  assert(options < argc);
  return 0;
}
