// A function whose address lies in a structure that is given is called.
// check:     assertions
// expect:    unsafe assertion @ line 13
// engines:   bmc

#include <assert.h>
static int opened;
static void open_it(void) { opened = 1; }
struct operations { int version; void (*open)(void); };
void register_device(struct operations *operations);
int main(void) {
  struct operations mine = {1, open_it}; register_device(&mine);
  assert(opened == 0);
  return 0;
}
