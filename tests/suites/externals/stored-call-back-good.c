// A table of functions that stays inside is not known outside.
// check:     assertions
// expect:    safe
// engines:   run bmc

#include <assert.h>
static int opened;
static void open_it(void) { opened = 1; }
struct operations { int version; void (*open)(void); };
static const struct operations mine = {1, open_it};
void register_device(int version);
int main(void) {
  register_device(mine.version);
  assert(opened == 0);
  mine.open();
  assert(opened == 1);
  return 0;
}
