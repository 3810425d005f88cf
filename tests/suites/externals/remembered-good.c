// Before the pointer is given nobody outside knows it.
// check:     assertions
// expect:    safe
// engines:   run bmc
// bmc:       unknown FIXME: the pointer analysis does not know when a pointer was given away

#include <assert.h>
static int buffer;
void keep(int *place);
void earlier(void);
int main(void) {
  buffer = 2;
  earlier();
  assert(buffer == 2);
  keep(&buffer);
  return 0;
}
