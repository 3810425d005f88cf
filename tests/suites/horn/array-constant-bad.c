// The last element is not filled the second time: only for this bound is it looked at.
// check:   assertions
// expect:  unsafe assertion @ line 12
// engines: horn
// horn:    unknown   FIXME: out of time, the failure is sixty rounds away
#include <assert.h>
int values[20];
int main(void) {
  int i;
  for (i = 0; i < 20; i++) values[i] = 42;
  for (i = 0; i < 19; i++) values[i] = 43;
  for (i = 0; i < 20; i++) assert(values[i] == 43);
  return 0;
}
