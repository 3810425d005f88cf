// The text is read as it stands.
// check:   assertions
// expect:  unsafe assertion @ line 12
// engines: bmc
#include <assert.h>
#include <stdio.h>

int main(void) {
  int a = 0, b = 0;
  char c = 0;
  int count = sscanf("12+0x1f", "%d%c%i", &a, &c, &b);
  assert(count == 3 && b == 30);
  return 0;
}
