// Counts options, and believes that nobody gives two.
// check:     assertions
// expect:    unsafe assertion @ line 14
// engines:   run bmc
// args:      -a b -c
// sanitizer: abort
#include <assert.h>

int main(int argc, char **argv) {
  int options = 0;
  for (int i = 1; i < argc; i++)
    if (argv[i][0] == '-')
      options++;
  assert(options < 2);
  return 0;
}
