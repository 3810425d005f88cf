// An array of 100,000 elements is filled twice: what is claimed of it must not count.
// check:   assertions memory-safety
// expect:  safe
// engines: horn
#include <assert.h>
int values[100000];
int main(void) {
  int i;
  for (i = 0; i < 100000; i++) values[i] = 42;
  for (i = 0; i < 100000; i++) values[i] = 43;
  for (i = 0; i < 100000; i++) assert(values[i] == 43);
  return 0;
}
