// What the function left is looked at before it is trusted, and it knows nothing else.
// check:     assertions
// expect:    safe
// engines:   run bmc

#include <assert.h>
void read_sensor(int *value);
static int calls;
int main(void) {
  int value = 0, other = 7;
  calls++;
  read_sensor(&value);
  if (value < 0 || value > 100)
    value = 100;
  assert(value >= 0 && value <= 100);
  assert(other == 7 && calls == 1);
  return 0;
}
